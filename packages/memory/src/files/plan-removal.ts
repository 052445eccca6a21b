import { changeLine } from './edit-lines.ts';
import type { PlannedNote } from './plan-write.ts';
import type { ProfileFiles } from './profile-files.ts';

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
