import type { EngineClient } from '@bulkhead/client';
import type { Output } from '../../output/output.ts';
import { skillLine } from '../../skills/skill-lines.ts';
import { untrustedTexts } from '../../skills/untrusted-texts.ts';

/** Calls of the engine that the chat needs for skills and templates. */
type SkillsClient = EngineClient;

/**
 * `/skills`: active skills and templates of the working folder, and why others are not active.
 *
 * @param taken names of the chat's commands, which no template can use
 */
export async function showSkills(
  client: SkillsClient,
  folder: string,
  output: Output,
  taken: ReadonlySet<string>,
): Promise<void> {
  const { skills, warnings } = await client.call('listSkills', { workingFolder: folder });
  for (const skill of skills.filter(({ hiddenBy }) => hiddenBy === '')) output.line(skillLine(skill, output));
  const { templates, warnings: others } = await client.call('listTemplates', { workingFolder: folder });
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
