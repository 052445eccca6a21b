import { BulkheadError } from '@bulkhead/protocol';
import type { EngineClient } from './engine-client.ts';

/**
 * The message that an entry `/NAME arguments` stands for, if there is a template of this name.
 *
 * @param entry as typed, a slash first
 * @returns undefined if it doesn't exist: then the entry is an unknown command
 * @throws BulkheadError `usage` for missing arguments
 */
export async function expandEntry(
  client: Pick<EngineClient, 'call'>,
  folder: string,
  entry: string,
): Promise<string | undefined> {
  const [, name = '', given = ''] = /^\/([a-z0-9-]{1,64})(?:\s+([\s\S]*))?$/.exec(entry.trim()) ?? [];
  if (name === '') return undefined;
  try {
    return (await client.call('expandTemplate', { name, arguments: given, workingFolder: folder })).text;
  } catch (error) {
    if (BulkheadError.is(error) && error.code === 'not_found') return undefined;
    throw error;
  }
}
