import {
  type BigIntStats,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  statfsSync,
  utimesSync,
} from 'node:fs';
import { isSameObject, lastingId } from './lasting-id.ts';

/**
 * Names a file without opening it: no right to its content is needed, nothing blocks on a FIFO and no
 * device wakes. Node has no name for it; the value is the same on x64 and arm64 Linux.
 */
const O_PATH = 0x200000;

const NUL = 0;
const SLASH = 0x2f;

/**
 * An open descriptor that closes with its scope. The file it stands for stays the same, whatever happens to names.
 * This file and `folder-entries.ts` are the only ones that give the system a path; both begin it at an
 * open descriptor (FR5). The check `file-calls` keeps it so.
 */
export class Descriptor implements Disposable {
  readonly fd: number;
  #open = true;

  private constructor(fd: number) {
    this.fd = fd;
  }

  /**
   * Opens an entry of a folder, of any kind, without opening its content; a symbolic link is not followed.
   * @throws the system's error, with `code`
   */
  static ofEntry(folder: Descriptor, name: Buffer): Descriptor {
    return new Descriptor(openSync(entryPath(folder, name), O_PATH | constants.O_NOFOLLOW));
  }

  /** Opens a folder the engine named; links in this one path are followed, since the engine chose it. */
  static ofTrustedFolder(path: string): Descriptor {
    return new Descriptor(openSync(path, O_PATH | constants.O_DIRECTORY));
  }

  /** Opens a file of Bulkhead's own, in a folder that no other user can write to. */
  static ofTrustedFile(path: string): Descriptor {
    return new Descriptor(openSync(path, O_PATH | constants.O_NOFOLLOW));
  }

  /** Creates a regular file, to be written; fails if anything has the name, a link too. */
  static create(folder: Descriptor, name: Buffer, mode: number): Descriptor {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    return new Descriptor(openSync(entryPath(folder, name), flags, mode));
  }

  /** A path that resolves to this very object, not to the present holder of its name. */
  get path(): string {
    return `/proc/self/fd/${this.fd}`;
  }

  /** Opens the content of this very object; no name is looked up. Regular files only: others may block or act. */
  openContent(): Descriptor {
    return new Descriptor(openSync(this.path, constants.O_RDONLY | constants.O_NONBLOCK));
  }

  /** Sets permission bits of this very object, which is no symbolic link. */
  setMode(mode: number): void {
    chmodSync(this.path, mode);
  }

  /** Gives this very object, which is no symbolic link, to a user and group. @param owner `UID:GID` */
  setOwner(owner: string): void {
    chownSync(this.path, ...numbersOf(owner));
  }

  /** Sets the time of its last change, also of a folder. @param time nanoseconds since 1970 */
  setTimeNs(time: bigint): void {
    const seconds = secondsOf(time);
    utimesSync(this.path, seconds, seconds);
  }

  /** Content from its start. @returns undefined if it is longer than `most` bytes */
  readUpTo(most: number): Buffer | undefined {
    const bytes = Buffer.alloc(most + 1);
    for (let size = 0; size <= most; ) {
      const got = readSync(this.fd, bytes, size, bytes.length - size, size);
      if (got === 0) return bytes.subarray(0, size);
      size += got;
    }
    return undefined;
  }

  /** The first `most` bytes of the content, or all if there are fewer. */
  readPart(most: number): Buffer {
    const bytes = Buffer.alloc(most);
    for (let size = 0; size < most; ) {
      const got = readSync(this.fd, bytes, size, most - size, size);
      if (got === 0) return bytes.subarray(0, size);
      size += got;
    }
    return bytes;
  }

  stat(): BigIntStats {
    return fstatSync(this.fd, { bigint: true });
  }

  /** Of the file system it lies on, as the system numbers them. */
  fileSystem(): number {
    return statfsSync(this.path).type;
  }

  /** Names this object in what is stored, as `lastingId` says. */
  lastingId(): string {
    return lastingId(this.stat(), this.fileSystem());
  }

  /** True if `lastingId` had this value for it. */
  isKnownAs(kept: string): boolean {
    return isSameObject(kept, this.stat(), this.fileSystem());
  }

  /** Where the object lies now, for messages and for comparing prefixes; never for opening. */
  currentName(): Buffer {
    return readlinkSync(this.path, { encoding: 'buffer' });
  }

  [Symbol.dispose](): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.fd);
  }
}

/**
 * Path of an entry that begins at its open folder.
 * @throws RangeError for what is not one component, or could lead anywhere else
 */
export function entryPath(folder: Descriptor, name: Buffer): Buffer {
  const text = name.toString('latin1');
  if (text === '' || text === '.' || text === '..' || name.includes(SLASH) || name.includes(NUL)) {
    throw new RangeError('an entry of a folder is named by one component');
  }
  return Buffer.concat([Buffer.from(`${folder.path}/`), name]);
}

/** The numbers of `UID:GID`. */
export function numbersOf(owner: string): [user: number, group: number] {
  const [user = '', group = ''] = owner.split(':');
  return [Number(user), Number(group)];
}

/** Node takes times as seconds in a double and hands on whole microseconds: a quarter more keeps it from losing one. */
export function secondsOf(time: bigint): number {
  return (Number(time / 1_000n) + 0.25) / 1_000_000;
}
