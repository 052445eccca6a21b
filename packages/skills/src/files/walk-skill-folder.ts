import { opendirSync } from 'node:fs';
import { Descriptor, systemCode } from '@bulkhead/files';
import { refused, SKILL_LIMITS, shown, tooManyBytes } from './file-set.ts';

/** A visited file: its properties, and a stamp that differs after every change. */
export interface MetFile {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
  readonly stamp: string;
}

/** Called for each plain file while its descriptor is open. */
export type VisitFile = (file: MetFile, entry: Descriptor) => void;

/**
 * Walks a folder by descriptors: follows no link, wakes no device, and opens only plain files.
 *
 * @param root the caller keeps ownership
 * @param options.skip names at the top to ignore
 * @throws BulkheadError `blocked` for a link, a device, a name that is not text, too many or too
 * deep; the system's error
 */
export function walkSkillFolder(
  root: Descriptor,
  visit: VisitFile,
  options: { readonly skip?: ReadonlySet<string> } = {},
): void {
  const walk = { entries: 0, bytes: 0 };
  walkBelow(root, [], { visit, skip: options.skip ?? new Set(), walk });
}

interface Walk {
  readonly visit: VisitFile;
  readonly skip: ReadonlySet<string>;
  readonly walk: { entries: number; bytes: number };
}

function walkBelow(folder: Descriptor, above: readonly string[], state: Walk): void {
  for (const name of namesIn(folder, SKILL_LIMITS.files)) {
    if (above.length === 0 && state.skip.has(name)) continue;
    const names = [...above, name];
    const path = names.join('/');
    checkEntry(name, names, state);
    using entry = openEntry(folder, name, path);
    const stat = entry.stat();
    if (stat.isDirectory()) walkBelow(entry, names, state);
    else if (stat.isFile()) visitFile(path, entry, state);
    else throw refused(`${shown(path)} is neither a plain file nor a folder; links are not followed`);
  }
}

function checkEntry(name: string, names: readonly string[], { walk }: Walk): void {
  const { files, depth } = SKILL_LIMITS;
  const path = names.join('/');
  walk.entries += 1;
  if (walk.entries > files) throw refused(`more than ${files} files and folders`);
  if (name.includes('\ufffd')) throw refused(`${shown(path)} has a name that is not UTF-8 text`);
  if (names.length > depth) throw refused(`${shown(path)} lies deeper than ${depth} folders`);
}

function visitFile(path: string, entry: Descriptor, { walk, visit }: Walk): void {
  const { dev, ino, size, mtimeNs, ctimeNs, mode } = entry.stat();
  walk.bytes += Number(size);
  if (walk.bytes > SKILL_LIMITS.bytes) throw tooManyBytes();
  const stamp = [path, dev, ino, size, mtimeNs, ctimeNs, mode].join(':');
  visit({ path, size: Number(size), executable: (mode & 0o100n) !== 0n, stamp }, entry);
}

function openEntry(folder: Descriptor, name: string, path: string): Descriptor {
  try {
    return Descriptor.ofEntry(folder, Buffer.from(name));
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') throw refused(`${shown(path)} went away while it was read`, cause);
    throw cause;
  }
}

/**
 * Returns the names in a folder, by code unit, at most `most` + 1 of them: a folder of a million
 * costs no more. Invalid UTF-8 becomes U+FFFD.
 */
export function namesIn(folder: Descriptor, most: number): string[] {
  const names: string[] = [];
  using directory = opendirSync(folder.path);
  for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
    names.push(entry.name);
    if (names.length > most) break;
  }
  return names.toSorted((a, b) => (a < b ? -1 : 1));
}
