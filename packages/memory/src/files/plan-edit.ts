import { BulkheadError } from '@bulkhead/protocol';
import { changeLine } from './edit-lines.ts';
import { plainText } from './line-text.ts';
import { memoryPath } from './memory-path.ts';
import type { PlannedNote } from './plan-write.ts';
import type { ProfileFiles } from './profile-files.ts';

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Plans a file after a person's full rewrite. Writes nothing. Keeps line ends and a byte order
 * mark.
 *
 * @param path of an existing memory file, below the profile's folder
 * @param text its new content
 * @throws BulkheadError `invalid_arguments` for a file that a person can't edit here, `not_found`,
 * `tool_failed` if it is too large or not text
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

/** @throws BulkheadError `tool_failed`: writing would lose content that can't be read as text */
function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BulkheadError('tool_failed', `${path} is not UTF-8: editing it here would lose bytes`, {
      fix: 'Change it with an editor of your own.',
    });
  }
}

/**
 * Plans to remove lines from writable memory files, or to replace the first by another line. Writes
 * nothing.
 *
 * @param isMeant selects lines, as written
 * @param back the replacement; empty for none
 * @returns undefined if no line matches
 */
export function planRemoval(
  files: ProfileFiles,
  isMeant: (line: string) => boolean,
  back: string,
): PlannedNote | undefined {
  const written = files
    .list()
    .files.filter(({ source, isConflict }) => !isConflict && ['memory', 'daily', 'user'].includes(source));
  const line = back === '' || back.startsWith('- ') ? back : `- ${back}`;
  for (const { path } of written) {
    const before = files.readWhole(path);
    if (before === undefined) continue;
    const lines = new TextDecoder().decode(before.bytes).split(/\r?\n/u).filter(isMeant);
    const [first] = lines;
    if (first === undefined) continue;
    const after = withoutLines(before.bytes, lines, line);
    return { path, before, after, added: line === '' ? [] : [line], removed: lines.join('\n'), known: [] };
  }
  return undefined;
}

/** @param back the replacement of the first; empty for none */
function withoutLines(bytes: Uint8Array, lines: readonly string[], back: string): Uint8Array {
  let after = bytes;
  for (const [at, gone] of lines.entries())
    after = changeLine(after, gone, at === 0 && back !== '' ? back : undefined) ?? after;
  return after;
}
