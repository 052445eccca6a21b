import { crc32, inflateRawSync } from 'node:zlib';
import { FileSet, nameIn, refused, SKILL_LIMITS, shown, tooManyBytes } from '../files/file-set.ts';

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;

const END_LENGTH = 22;
const CENTRAL_LENGTH = 46;
const LOCAL_LENGTH = 30;
const MAX_COMMENT = 0xffff;

/** Upper half of the attributes, from systems with file modes. */
const KIND_MASK = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;

interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly local: number;
}

/**
 * Returns the files of a zip archive, by its central directory; each local header must match.
 * Folders exist only through their files. Links, devices, encryption, zip64 and methods other than
 * stored and deflated refuse the whole archive.
 *
 * @throws BulkheadError `blocked`
 */
export function readZip(archive: Buffer): FileSet {
  const files = new FileSet();
  const used: (readonly [begin: number, end: number])[] = [];
  for (const entry of entriesOf(archive)) {
    const begin = checkedBegin(archive, entry);
    const range = [begin, begin + entry.packed] as const;
    // Entries with shared bytes unpack to more than the archive holds.
    if (used.some(([from, to]) => range[0] < to && from < range[1]))
      throw refused('entries of the archive overlap');
    used.push(range);
    if (entry.path.endsWith('/')) {
      if (entry.size > 0) throw refused(`${shown(entry.path)} is a folder with content`);
      continue;
    }
    const bytes = unpack(archive.subarray(...range), entry, files.room);
    files.add({ path: entry.path, executable: (entry.mode & 0o100) !== 0, bytes });
  }
  return files;
}

function* entriesOf(archive: Buffer): Generator<Entry> {
  const end = endOf(archive);
  const count = archive.readUInt16LE(end + 10);
  if (count > SKILL_LIMITS.files * 2) throw refused(`more than ${SKILL_LIMITS.files} files`);
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (at + CENTRAL_LENGTH > end || archive.readUInt32LE(at) !== CENTRAL)
      throw refused('the archive is damaged');
    const nameLength = archive.readUInt16LE(at + 28);
    const length =
      CENTRAL_LENGTH + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    if (at + length > end) throw refused('the archive is damaged');
    yield entryAt(archive, at, nameLength);
    at += length;
  }
  if (at !== end) throw refused('the archive is damaged: its directory is not as long as it says');
}

function entryAt(archive: Buffer, at: number, nameLength: number): Entry {
  const path = nameIn(archive.subarray(at + CENTRAL_LENGTH, at + CENTRAL_LENGTH + nameLength));
  const flags = archive.readUInt16LE(at + 8);
  if ((flags & 1) !== 0) throw refused('the archive is encrypted');
  const mode = archive.readUInt32LE(at + 38) >>> 16;
  const kind = mode & KIND_MASK;
  const expected = path.endsWith('/') ? FOLDER : REGULAR;
  // Systems without file modes leave them out.
  if (kind !== 0 && kind !== expected) throw refused(`${shown(path)} is neither a plain file nor a folder`);
  return {
    path,
    mode,
    method: archive.readUInt16LE(at + 10),
    crc: archive.readUInt32LE(at + 16),
    packed: archive.readUInt32LE(at + 20),
    size: archive.readUInt32LE(at + 24),
    local: archive.readUInt32LE(at + 42),
  };
}

/** Returns where an entry's bytes start. */
function checkedBegin(archive: Buffer, { path, packed, local }: Entry): number {
  if (local + LOCAL_LENGTH > archive.length || archive.readUInt32LE(local) !== LOCAL)
    throw refused('the archive is damaged');
  const nameLength = archive.readUInt16LE(local + 26);
  const begin = local + LOCAL_LENGTH + nameLength + archive.readUInt16LE(local + 28);
  if (begin + packed > archive.length) throw refused('the archive ends in the middle of a file');
  const own = nameIn(archive.subarray(local + LOCAL_LENGTH, local + LOCAL_LENGTH + nameLength));
  if (own !== path) throw refused(`${shown(path)} has two names in the archive`);
  return begin;
}

function unpack(packed: Buffer, { path, method, crc, size }: Entry, room: number): Uint8Array {
  if (size > room) throw tooManyBytes();
  const bytes = method === 0 ? Buffer.from(packed) : inflate(packed, path, method, size);
  if (bytes.length !== size || crc32(bytes) !== crc)
    throw refused(`${shown(path)} is damaged in the archive`);
  return bytes;
}

function inflate(packed: Buffer, path: string, method: number, size: number): Buffer {
  if (method !== 8) throw refused(`${shown(path)} is packed by a method that is not known (${method})`);
  try {
    // One byte more than allowed: a longer result fails here, and is never held.
    return inflateRawSync(packed, { maxOutputLength: size + 1 });
  } catch (cause) {
    throw refused(`${shown(path)} is damaged in the archive, or larger than it says`, cause);
  }
}

function endOf(archive: Buffer): number {
  const earliest = Math.max(0, archive.length - END_LENGTH - MAX_COMMENT);
  for (let at = archive.length - END_LENGTH; at >= earliest; at -= 1) {
    const isEnd =
      archive.readUInt32LE(at) === END && at + END_LENGTH + archive.readUInt16LE(at + 20) === archive.length;
    if (isEnd) return at;
  }
  throw refused('the archive is damaged: it has no end');
}
