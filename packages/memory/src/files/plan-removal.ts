import { changeLine } from './edit-lines.ts';
import type { PlannedNote } from './plan-write.ts';
import type { ProfileFiles } from './profile-files.ts';

/**
 * Takes lines out of the files of memory that are written to, or puts another line in the place of the first. Writes nothing.
 *
 * @param isMeant of a line as it stands
 * @param back the line that comes back; empty for none
 * @returns undefined if there is no such line
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

/** @param back what stands in the place of the first; empty for nothing */
function withoutLines(bytes: Uint8Array, lines: readonly string[], back: string): Uint8Array {
  let after = bytes;
  for (const [at, gone] of lines.entries())
    after = changeLine(after, gone, at === 0 && back !== '' ? back : undefined) ?? after;
  return after;
}
