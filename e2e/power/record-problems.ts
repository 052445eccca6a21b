import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { DiskModel } from './disk-model.ts';

/** Written through memory, or left by `mkfs`. */
const NOT_MODELLED = /-shm$|^lost\+found$/;

/**
 * Compares the disk as the record tells it with the disk as it is.
 *
 * @param folder mount point of the disk, on which no program works any more
 * @returns what differs, and so what the record has missed
 */
export function recordProblems(model: DiskModel, folder: string): string[] {
  const wanted = new Map([...model.placed()].map(({ path, object }) => [path, object]));
  wanted.delete('');
  const found = [...namesBelow(folder, '')];
  const missing = [...wanted.keys()].filter((path) => !found.includes(path)).map((path) => `${path} is gone`);
  const differing = found.flatMap((path) => {
    if (NOT_MODELLED.test(path)) return [];
    const object = wanted.get(path);
    if (object === undefined) return [`${path} was made by nobody`];
    const facts = lstatSync(join(folder, path));
    const mode = facts.mode & 0o7777;
    return [
      ...(facts.ino === object.birth.number ? [] : [`${path} is inode ${facts.ino}`]),
      ...(mode === object.mode
        ? []
        : [`${path} has mode ${mode.toString(8)}, not ${object.mode.toString(8)}`]),
      ...(facts.isFile() && !readFileSync(join(folder, path)).equals(object.bytes)
        ? [
            `${path} holds something else, from byte ${firstDifference(readFileSync(join(folder, path)), object.bytes)} on`,
          ]
        : []),
      ...(facts.isSymbolicLink() && readlinkSync(join(folder, path)) !== object.birth.target
        ? [`${path} leads elsewhere`]
        : []),
    ];
  });
  return [...missing, ...differing];
}

function* namesBelow(folder: string, path: string): Generator<string> {
  for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
    const name = join(path, entry.name);
    yield name;
    if (entry.isDirectory()) yield* namesBelow(folder, name);
  }
}

function firstDifference(found: Uint8Array, wanted: Uint8Array): number {
  return found.findIndex((byte, index) => byte !== wanted[index]);
}
