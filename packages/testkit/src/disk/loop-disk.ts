import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A kind of file system. Without a journal, ext4 gives a freed inode to the next file at once, and not minutes later. */
export type LoopKind = 'ext4' | 'ext4-no-journal' | 'xfs' | 'btrfs';

/** What makes each. */
const PROGRAMS: Readonly<Record<LoopKind, readonly [file: string, ...args: string[]]>> = {
  ext4: ['/usr/sbin/mkfs.ext4', '-q', '-I', '256'],
  'ext4-no-journal': ['/usr/sbin/mkfs.ext4', '-q', '-I', '256', '-O', '^has_journal'],
  xfs: ['/usr/sbin/mkfs.xfs', '-q'],
  btrfs: ['/usr/sbin/mkfs.btrfs', '-q'],
};
/** How long a device may stay in use after its file system was unmounted. */
const RELEASED_MS = 30_000;
/** Of a sparse file. */
const SIZE = '2G';

/** A file system of its own in a file, on a loop device that this object chooses: it can come back under another number. */
export class LoopDisk implements Disposable {
  /** Where it is mounted; its top folder belongs to root. */
  readonly folder: string;
  readonly #top: string;
  #device: string | undefined;

  private constructor(top: string) {
    this.#top = top;
    this.folder = join(top, 'mounted');
  }

  /** @returns undefined where none can be made: without root's rights, loop devices or the program */
  static open(kind: LoopKind): LoopDisk | undefined {
    if (process.getuid?.() !== 0 || !existsSync(PROGRAMS[kind][0])) return undefined;
    const disk = new LoopDisk(mkdtempSync(join(tmpdir(), 'bulkhead-loop-')));
    mkdirSync(disk.folder);
    const [program, ...args] = PROGRAMS[kind];
    try {
      command('/usr/bin/truncate', '-s', SIZE, disk.#image);
      command(program, ...args, disk.#image);
      disk.#mount();
      return disk;
    } catch {
      disk[Symbol.dispose]();
      return undefined;
    }
  }

  get #image(): string {
    return join(this.#top, 'image');
  }

  /** Number of the device, as `stat` gives it. */
  get device(): bigint {
    return statSync(this.folder, { bigint: true }).dev;
  }

  /**
   * Unmounts it and mounts it again, on another loop device than before.
   *
   * @throws Error if something on it is still open, or no other device is free
   */
  async remountElsewhere(): Promise<void> {
    const before = this.#device ?? '';
    command('/usr/bin/umount', this.folder);
    command('/usr/sbin/losetup', '-d', before);
    this.#device = undefined;
    // Mount name spaces that are being made or left just now may hold it a little longer: never is it mounted twice.
    const end = performance.now() + RELEASED_MS;
    while (spawnSync('/usr/sbin/losetup', [before]).status === 0) {
      if (performance.now() > end) throw new Error(`${before} is still in use`);
      await sleep(50);
    }
    // Keeps its number from being given again.
    const holder = join(this.#top, 'holder');
    command('/usr/bin/truncate', '-s', '1M', holder);
    command('/usr/sbin/losetup', before, holder);
    try {
      this.#mount();
    } finally {
      command('/usr/sbin/losetup', '-d', before);
    }
  }

  /** @throws Error if something on the disk is still open: nothing of it is removed then */
  [Symbol.dispose](): void {
    if (spawnSync('/usr/bin/mountpoint', ['-q', this.folder]).status === 0)
      command('/usr/bin/umount', this.folder);
    if (this.#device !== undefined) command('/usr/sbin/losetup', '-d', this.#device);
    rmSync(this.#top, { recursive: true });
  }

  #mount(): void {
    this.#device ??= command('/usr/sbin/losetup', '-f', '--show', this.#image).trim();
    command('/usr/bin/mount', this.#device, this.folder);
  }
}

function command(file: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${[file, ...args].join(' ')}: ${stderr}`);
}
