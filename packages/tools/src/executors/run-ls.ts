import type { BigIntStats } from 'node:fs';
import {
  type Descriptor,
  failed,
  fileError,
  kindLetter,
  listNames,
  lookAtEntry,
  readLinkEntry,
  shownName,
} from '@bulkhead/files';
import { success } from '../definitions/worker-tool.ts';
import type { Location } from '../files/location.ts';
import { readingTool } from './reading-tool.ts';

interface LsArguments {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
}

/**
 * One entry a line, `<kind> <size> <name>`, by bytes of the name; sizes of folders say nothing and
 * are 0.
 */
export const runLs = readingTool<LsArguments, Location>({
  open: ({ path }, { files }) => {
    using guard = new DisposableStack();
    const location = guard.use(files.locate(path, 'list'));
    if (location.stat === undefined) throw failed(location.shown, 'no such file or folder');
    if (!location.stat.isDirectory()) throw failed(location.shown, 'is not a folder; use read');
    guard.move();
    return location;
  },
  look: listFolder,
  describe: ({ offset, limit }, { shown }) => `list ${shown}, at most ${limit} entries after ${offset}`,
});

function listFolder(args: LsArguments, location: Location) {
  const names = sortedNames(location.folder, location.shown);
  const page = names.slice(args.offset, args.offset + args.limit);
  const rows = page.flatMap((name) => row(location.folder, name));
  const width = Math.max(0, ...rows.map(({ size }) => size.length));
  const lines = rows.map(({ kind, size, shown }) => `${kind} ${size.padStart(width)} ${shown}`);
  return success([...lines, lastLine(names.length, args.offset, page.length)].join('\n'));
}

function sortedNames(folder: Descriptor, shown: string): Buffer[] {
  try {
    return listNames(folder).sort(Buffer.compare);
  } catch (error) {
    throw fileError(error, shown);
  }
}

function lastLine(total: number, offset: number, shown: number): string {
  const next = offset + shown;
  if (next < total) return `[${total - next} more entries: continue with offset=${next}]`;
  return total === 1 ? '1 entry' : `${total} entries`;
}

function row(folder: Descriptor, name: Buffer): { kind: string; size: string; shown: string }[] {
  const stat = lookAtEntry(folder, name);
  // An entry that vanished after the listing is left out.
  if (stat === undefined) return [];
  const kind = kindLetter(stat);
  const size = kind === '-' || kind === 'l' ? String(stat.size) : '0';
  return [{ kind, size, shown: `${shownName(name)}${suffix(folder, name, stat)}` }];
}

function suffix(folder: Descriptor, name: Buffer, stat: BigIntStats): string {
  if (stat.isDirectory()) return '/';
  if (!stat.isSymbolicLink()) return '';
  try {
    return ` -> ${shownName(readLinkEntry(folder, name))}`;
  } catch {
    return ' -> ?';
  }
}
