import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of a test archive; not validated. */
export interface ZipEntry {
  readonly path: string;
  readonly content?: string | Buffer;
  /** Kind and permission bits, as from systems with file modes. */
  readonly mode?: number;
  /** The size in the directory, if it is wrong. */
  readonly size?: number;
  readonly localPath?: string;
  readonly stored?: boolean;
  readonly flags?: number;
}

/** Returns a zip archive with exactly these entries, even invalid ones. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? '');
    const packed = entry.stored === true ? content : deflateRawSync(content);
    const local = localHeader(entry, content, packed);
    locals.push(local, packed);
    central.push(centralHeader(entry, content, packed, at));
    at += local.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length & 0xffff, 8);
  end.writeUInt16LE(entries.length & 0xffff, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}

function localHeader(entry: ZipEntry, content: Buffer, packed: Buffer): Buffer {
  const name = Buffer.from(entry.localPath ?? entry.path);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(entry.flags ?? 0, 6);
  header.writeUInt16LE(entry.stored === true ? 0 : 8, 8);
  header.writeUInt32LE(crc32(content), 14);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(entry.size ?? content.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function centralHeader(entry: ZipEntry, content: Buffer, packed: Buffer, local: number): Buffer {
  const name = Buffer.from(entry.path);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(entry.flags ?? 0, 8);
  header.writeUInt16LE(entry.stored === true ? 0 : 8, 10);
  header.writeUInt32LE(crc32(content), 16);
  header.writeUInt32LE(packed.length, 20);
  header.writeUInt32LE(entry.size ?? content.length, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 38);
  header.writeUInt32LE(local, 42);
  return Buffer.concat([header, name]);
}
