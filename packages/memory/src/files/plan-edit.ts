import { BulkheadError } from '@bulkhead/protocol';
import { plainText } from './line-text.ts';
import { memoryPath } from './memory-path.ts';
import type { PlannedNote } from './plan-write.ts';
import type { ProfileFiles } from './profile-files.ts';

const BYTE_ORDER_MARK = '\ufeff';

/**
 * What becomes of a file that a person has rewritten as a whole. Writes nothing. Ends of lines and a byte order mark stay as they were.
 *
 * @param path of a file of memory that is there, below the profile's folder
 * @param text all of it from now on
 * @throws BulkheadError `invalid_arguments` for what is no file a person edits here, `not_found`, `tool_failed` if it is too large or no text
 */
export function planEdit(files: ProfileFiles, path: string, text: string): PlannedNote {
  const kind = memoryPath(path);
  if (kind === undefined || kind.isConflict || kind.source === 'knowledge') {
    throw new BulkheadError('invalid_arguments', `${path} is not edited here`, {
      fix: 'Files of knowledge, and copies that a sync tool kept, are changed with an editor of your own.',
    });
  }
  const before = files.readWhole(path);
  if (before === undefined) {
    throw new BulkheadError('not_found', `memory has no file ${path}`, { fix: 'Add a line to begin it.' });
  }
  const old = decoded(path, before.bytes);
  const lineEnd = old.includes('\r\n') ? '\r\n' : '\n';
  const mark = old.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const plain = text.replaceAll(/\r\n?/gu, '\n').replace(BYTE_ORDER_MARK, '');
  const wanted = mark + plain.replaceAll('\n', lineEnd);
  const standing = new Set(old.slice(mark.length).split(/\r?\n/u));
  const added = plain.split('\n').filter((line) => !standing.has(line) && plainText(line) !== '');
  const after = wanted === old ? undefined : new TextEncoder().encode(wanted);
  return { path, before, after, added, removed: undefined, known: [] };
}

/** @throws BulkheadError `tool_failed`: what can't be read as text would be lost by writing it */
function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BulkheadError(
      'tool_failed',
      `${path} is not UTF-8: it can't be edited here without losing some of it`,
      {
        fix: 'Change it with an editor of your own.',
      },
    );
  }
}
