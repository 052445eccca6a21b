import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { EngineLink } from '../../engine-link.ts';
import { expandEntry } from '../../expand-entry.ts';

/**
 * Active templates of a folder, as the `/` commands of an editor.
 *
 * @returns undefined if there are none
 */
export async function slashCommands(
  link: EngineLink,
  folder: string,
  signal: AbortSignal,
): Promise<SessionUpdate | undefined> {
  const { templates } = await link.repeat(
    (client) => client.call('listTemplates', { workingFolder: folder }, signal),
    signal,
  );
  if (templates.length === 0) return undefined;
  return {
    sessionUpdate: 'available_commands_update',
    availableCommands: templates.map(({ name, description }) => ({
      name,
      description,
      input: { hint: 'its arguments' },
    })),
  };
}

/**
 * The message for `text`: if it begins with a template's `/NAME`, the expanded template. Other text
 * is unchanged: a path begins with a slash, too.
 *
 * @throws BulkheadError `usage` for missing arguments
 */
export async function withoutSlash(
  link: EngineLink,
  folder: string,
  text: string,
  signal: AbortSignal,
): Promise<string> {
  if (!text.startsWith('/')) return text;
  return (await link.repeat((client) => expandEntry(client, folder, text), signal)) ?? text;
}
