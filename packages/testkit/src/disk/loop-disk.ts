import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A kind of file system. Without a journal, ext4 reuses a freed inode for the next file
 * immediately, not minutes later.
 */
export type LoopKind = 'ext4' | 'ext4-no-journal' | 'xfs' | 'btrfs';

/** The program that creates each kind. */
const PROGRAMS: Readonly<Record<LoopKind, readonly [file: string, ...args: string[]]>> = {
  ext4: ['/usr/sbin/mkfs.ext4', '-q', '-I', '256'],
  'ext4-no-journal': ['/usr/sbin/mkfs.ext4', '-q', '-I', '256', '-O', '^has_journal'],
  xfs: ['/usr/sbin/mkfs.xfs', '-q'],
  btrfs: ['/usr/sbin/mkfs.btrfs', '-q'],
};
/** How long a device may stay in use after its file system was unmounted. */
const RELEASED_MS = 30_000;
/** Size of a sparse file. */
const SIZE = '2G';

/**
 * A separate file system in a file, on a loop device that this object chooses: it can return under
 * another number.
 */
export class LoopDisk implements Disposable {
  /** Its mount point; root owns the top folder. */
  readonly folder: string;
  readonly #top: string;
  #device: string | undefined;

  private constructor(top: string) {
    this.#top = top;
    this.folder = join(top, 'mounted');
  }

  /**
   * @returns undefined if it can't be created: without root's rights, loop devices or the program
   */
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

  /** Number of the device, from `stat`. */
  get device(): bigint {
    return statSync(this.folder, { bigint: true }).dev;
  }

  /**
   * Unmounts it and mounts it again, on another loop device than before.
   *
   * @throws Error if a file on it is still open, or no other device is free
   */
  async remountElsewhere(): Promise<void> {
    const before = this.#device ?? '';
    command('/usr/bin/umount', this.folder);
    command('/usr/sbin/losetup', '-d', before);
    this.#device = undefined;
    // Mount name spaces that are being created or left may hold it a little longer; it is never
    // mounted twice.
    const end = performance.now() + RELEASED_MS;
    while (spawnSync('/usr/sbin/losetup', [before]).status === 0) {
      if (performance.now() > end) throw new Error(`${before} is still in use`);
      await sleep(50);
    }
    // Prevents its number from being reused.
    const holder = join(this.#top, 'holder');
    command('/usr/bin/truncate', '-s', '1M', holder);
    command('/usr/sbin/losetup', before, holder);
    try {
      this.#mount();
    } finally {
      command('/usr/sbin/losetup', '-d', before);
    }
  }

  /** @throws Error if a file on the disk is still open: then nothing is removed */
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
