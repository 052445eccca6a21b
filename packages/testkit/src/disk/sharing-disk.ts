import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A kind of file system whose files can share blocks. */
export type SharingKind = 'xfs' | 'btrfs';

/** The program that creates each. */
const PROGRAMS: Readonly<Record<SharingKind, string>> = {
  xfs: '/usr/sbin/mkfs.xfs',
  btrfs: '/usr/sbin/mkfs.btrfs',
};
/** Size of a sparse file: large enough that no command ends because the disk is nearly full. */
const SIZE = '2G';

/** A separate file system with shared blocks, in a file, mounted as long as this object lives. */
export class SharingDisk implements Disposable {
  /** Its top folder, owned by root. */
  readonly folder: string;
  readonly #top: string;
  /** Mount points, in order of mounting. */
  readonly #mounted: string[] = [];

  private constructor(top: string) {
    this.#top = top;
    this.folder = join(top, 'mounted');
  }

  /**
   * @returns undefined if it can't be created: without root's rights, loop devices or the program
   */
  static open(kind: SharingKind): SharingDisk | undefined {
    if (process.getuid?.() !== 0) return undefined;
    const top = mkdtempSync(join(tmpdir(), 'bulkhead-disk-'));
    chmodSync(top, 0o755);
    const disk = new SharingDisk(top);
    const image = join(top, 'image');
    mkdirSync(disk.folder);
    // The loop device ends with the mount.
    const made =
      succeeds('/usr/bin/truncate', '-s', SIZE, image) &&
      succeeds(PROGRAMS[kind], image) &&
      disk.#mount(disk.folder, '-t', kind, '-o', 'loop', image);
    if (made) return disk;
    disk[Symbol.dispose]();
    return undefined;
  }

  /**
   * Mounts an overlay all of whose layers lie on this disk, as a container's own file system does:
   * files in it share blocks, and it can't hold the upper layer of another overlay.
   *
   * @returns its top folder; undefined if it can't be mounted
   */
  overlaid(): string | undefined {
    const [lower, upper, inner] = ['lower', 'upper', 'inner'].map((name) => join(this.folder, name));
    const folder = join(this.#top, 'overlaid');
    for (const path of [lower, upper, inner, folder]) if (path !== undefined) mkdirSync(path);
    const layers = `lowerdir=${lower},upperdir=${upper},workdir=${inner}`;
    return this.#mount(folder, '-t', 'overlay', '-o', layers, 'overlay') ? folder : undefined;
  }

  /** Used bytes of the disk, after all writes have reached it. */
  usedBytes(): number {
    succeeds('/usr/bin/sync', '-f', this.folder);
    const { blocks, bfree, bsize } = statfsSync(this.folder);
    return (blocks - bfree) * bsize;
  }

  /** @throws Error if a file on the disk is still open: then nothing is removed */
  [Symbol.dispose](): void {
    const stuck = this.#mounted.toReversed().find((folder) => !succeeds('/usr/bin/umount', folder));
    if (stuck !== undefined) throw new Error(`${stuck} can't be unmounted: something in it is still open`);
    rmSync(this.#top, { recursive: true });
  }

  #mount(folder: string, ...args: readonly string[]): boolean {
    if (!succeeds('/usr/bin/mount', ...args, folder)) return false;
    this.#mounted.push(folder);
    return true;
  }
}

function succeeds(file: string, ...args: readonly string[]): boolean {
  return spawnSync(file, args).status === 0;
}
