import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** `FS_IOC_SHUTDOWN` of Linux with `GOING_FLAGS_NOLOGFLUSH`: the file system stops as if power had gone. */
const POWER_CUT = `
#include <fcntl.h>
#include <sys/ioctl.h>
int main(int count, char **words) {
    unsigned flag = 2;
    int fd = count > 1 ? open(words[1], O_RDONLY) : -1;
    return fd < 0 || ioctl(fd, _IOR('X', 125, unsigned), &flag) < 0;
}
`;

export interface ImageOptions {
  readonly megabytes: number;
  /** Options of `mount`. */
  readonly mount?: string;
}

/** An ext4 file system of its own, in a file on a loop device. Needs root, `mkfs.ext4` and, to cut its power, a C compiler. */
export class DiskImage implements AsyncDisposable {
  /** Where it is mounted. */
  readonly folder: string;
  readonly #root: string;
  readonly #options: ImageOptions;
  #cutter: string | undefined;

  private constructor(root: string, options: ImageOptions) {
    this.#root = root;
    this.folder = join(root, 'disk');
    this.#options = options;
  }

  /** @returns why this machine can't make one; undefined if it can */
  static problem(): string | undefined {
    if (process.getuid?.() !== 0) return 'needs root';
    try {
      execFileSync('mkfs.ext4', ['-V'], { stdio: 'ignore' });
      execFileSync('losetup', ['-f'], { stdio: 'ignore' });
      return undefined;
    } catch {
      return 'needs mkfs.ext4 and loop devices';
    }
  }

  static make(options: ImageOptions): DiskImage {
    const root = mkdtempSync(join(tmpdir(), 'outside-disk-'));
    const image = new DiskImage(root, options);
    mkdirSync(image.folder);
    writeFileSync(image.#file, '');
    truncateSync(image.#file, options.megabytes * 1_048_576);
    execFileSync('mkfs.ext4', ['-q', '-F', image.#file]);
    image.mount();
    return image;
  }

  /** @param more options, `ro` say */
  mount(more = ''): void {
    const options = ['loop', this.#options.mount ?? '', more].filter((word) => word !== '').join(',');
    execFileSync('mount', ['-o', options, this.#file, this.folder]);
  }

  remount(option: 'ro' | 'rw'): void {
    execFileSync('mount', ['-o', `remount,${option}`, this.folder]);
  }

  /** Nothing may use it any more. */
  async unmount(): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        execFileSync('umount', [this.folder], { stdio: 'ignore' });
        return;
      } catch (error) {
        if (tries > 100) throw error;
        await sleep(50);
      }
    }
  }

  /** All that was written so far stays whatever happens. */
  flush(): void {
    execFileSync('sync', ['-f', this.folder]);
  }

  /** Whatever was not flushed is gone after the next `unmount` and `mount`. */
  cutPower(): void {
    execFileSync(this.#powerCut(), [this.folder]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      execFileSync('umount', ['-l', this.folder], { stdio: 'ignore' });
    } catch {
      // It was not mounted.
    }
    rmSync(this.#root, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.#root, 'image');
  }

  #powerCut(): string {
    if (this.#cutter !== undefined) return this.#cutter;
    const program = join(this.#root, 'cut');
    writeFileSync(`${program}.c`, POWER_CUT);
    execFileSync('cc', ['-o', program, `${program}.c`]);
    this.#cutter = program;
    return program;
  }
}
