import { readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Descriptor, openFolderBelow, pathFromArgument, sameVersion, systemCode } from '@bulkhead/files';
import type { FileText } from './memory-text.ts';

/** Most reads of a file that changes meanwhile; then it is taken as it is. */
const MOST_READS = 3;
/**
 * A file changed this recently may change again within the resolution of its times, so they are not
 * reliable yet. Milliseconds.
 */
const SETTLING = 2_000;
const BLOCK = 1 << 17;

/** The content of a file. */
interface FileContent {
  readonly bytes: Uint8Array;
  /** False if it was longer than the cap. */
  readonly whole: boolean;
  /** False if it changed during every reading: `bytes` may be a mixture. */
  readonly steady: boolean;
}

/** A file that can be read, closed with its scope. */
export interface OpenFile extends Disposable {
  /** Differs when the file does; empty if its times are not reliable yet. */
  readonly version: string;
  /** @param most bytes */
  read(most: number): Promise<FileContent>;
}

/**
 * Opens a text by descriptors, one component at a time; no link is followed.
 * @param now milliseconds since 1970
 * @returns undefined if the file does not exist, or is a folder, a link or a device
 * @throws the system's error, with `code`, if it may not be read
 */
export function openTextFile({ folder, path }: FileText, now: number): OpenFile | undefined {
  const { names, absolute } = pathFromArgument(path);
  const last = names.at(-1);
  if (last === undefined || absolute) return undefined;
  using root = Descriptor.ofTrustedFolder(folder);
  using parent = openFolderBelow(root, names.slice(0, -1));
  if (parent === undefined) return undefined;
  using entry = entryOf(parent, last);
  if (entry?.stat().isFile() !== true) return undefined;
  return opened(entry.openContent(), now);
}

function entryOf(folder: Descriptor, name: Buffer): Descriptor | undefined {
  try {
    return Descriptor.ofEntry(folder, name);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function opened(file: Descriptor, now: number): OpenFile {
  return {
    version: versionOf(file, now),
    async read(most) {
      for (let times = 1; ; times += 1) {
        const before = file.stat();
        // Never beyond its size at the start: reading a growing file would not end.
        const bytes = await readUpTo(file, Math.min(most, Number(before.size)));
        const steady = sameVersion(before, file.stat());
        if (steady || times === MOST_READS) return { bytes, whole: before.size <= most, steady };
      }
    },
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

/** Includes the inode's change time, which no program can set back. */
function versionOf(file: Descriptor, now: number): string {
  const { ino, size, mtimeNs, ctimeNs } = file.stat();
  const latest = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  return now - latest < SETTLING ? '' : `${ino}.${size}.${mtimeNs}.${ctimeNs}`;
}

/** Yields between blocks, so that other requests are answered meanwhile. */
async function readUpTo(file: Descriptor, most: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(most);
  for (let size = 0; size < most; ) {
    const got = readSync(file.fd, bytes, size, Math.min(BLOCK, most - size), size);
    if (got === 0) return bytes.subarray(0, size);
    size += got;
    await setImmediate();
  }
  return bytes;
}
