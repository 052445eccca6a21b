import type { EngineClient } from '@bulkhead/engine/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { Output } from '../../output/output.ts';
import { skillLine } from '../../skills/skill-lines.ts';
import { untrustedTexts } from '../../skills/untrusted-texts.ts';

/** What of the engine the chat needs for skills and templates. */
type SkillsClient = Pick<EngineClient, 'listSkills' | 'listTemplates' | 'expandTemplate' | 'inspectFolder'>;

/**
 * `/skills`: skills and templates that count in the working folder, and why others don't.
 *
 * @param taken names of the chat's commands: no template of such a name is ever reached
 */
export async function showSkills(
  client: SkillsClient,
  folder: string,
  output: Output,
  taken: ReadonlySet<string>,
): Promise<void> {
  const { skills, warnings } = await client.listSkills(folder);
  for (const skill of skills.filter(({ hiddenBy }) => hiddenBy === '')) output.line(skillLine(skill, output));
  const { templates, warnings: others } = await client.listTemplates(folder);
  for (const { name, description } of templates) {
    const line = `/${output.safeLine(name)}  ${output.safeLine(description)}`;
    if (taken.has(name)) output.line(`not used: template ${line}: /${name} is a command; rename the file`);
    else output.line(line);
  }
  const untrusted = await untrustedTexts(client, folder);
  for (const warning of [...warnings, ...others, ...untrusted]) {
    output.line(`not used: ${output.safeLine(warning)}`);
  }
}

/**
 * The message that an entry `/NAME arguments` stands for, if there is a template of this name.
 *
 * @param entry as typed, a slash first
 * @returns undefined if there is none: then the entry is an unknown command
 * @throws BulkheadError `usage` for arguments that are missing
 */
export async function expandEntry(
  client: SkillsClient,
  folder: string,
  entry: string,
): Promise<string | undefined> {
  const [, name = '', given = ''] = /^\/([a-z0-9-]{1,64})(?:\s+([\s\S]*))?$/.exec(entry.trim()) ?? [];
  if (name === '') return undefined;
  try {
    return await client.expandTemplate({ name, arguments: given, workingFolder: folder });
  } catch (error) {
    if (BulkheadError.is(error) && error.code === 'not_found') return undefined;
    throw error;
  }
}
