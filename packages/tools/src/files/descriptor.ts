import { type BigIntStats, closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';

/**
 * Names a file without opening it: no right to its content is needed, nothing blocks on a FIFO and no
 * device wakes. Node has no name for it; the value is the same on x64 and arm64 Linux.
 */
const O_PATH = 0x200000;

/** An open descriptor that closes with its scope. The file it stands for stays the same, whatever happens to names. */
export class Descriptor implements Disposable {
  readonly fd: number;
  #open = true;

  private constructor(fd: number) {
    this.fd = fd;
  }

  /**
   * Opens the object itself, of any kind; a symbolic link is not followed.
   * @throws the system's error, with `code`
   */
  static ofName(path: Buffer): Descriptor {
    return new Descriptor(openSync(path, O_PATH | constants.O_NOFOLLOW));
  }

  /** Opens a folder the engine named; links in this one path are followed, since the engine chose it. */
  static ofTrustedFolder(path: string): Descriptor {
    return new Descriptor(openSync(path, O_PATH | constants.O_DIRECTORY));
  }

  /** @param flags as for open(2); the caller decides about O_NOFOLLOW */
  static withFlags(path: Buffer | string, flags: number, mode?: number): Descriptor {
    return new Descriptor(openSync(path, flags, mode));
  }

  /** A path that leads to this very object, not to whatever bears its name now. */
  get path(): string {
    return `/proc/self/fd/${this.fd}`;
  }

  /** Path of an entry of this folder. `name` must be one component, neither `.` nor `..`. */
  child(name: Buffer): Buffer {
    return Buffer.concat([Buffer.from(`${this.path}/`), name]);
  }

  stat(): BigIntStats {
    return fstatSync(this.fd, { bigint: true });
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
