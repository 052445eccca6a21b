import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('./cut-power.c', import.meta.url));
const SIZE = '64M';
/**
 * A journalling file system (ext4) in a file, whose power can be cut: data only in memory never
 * reaches the file. All writes sent to the disk before the cut are kept, so it does not simulate a
 * disk that loses or reorders them.
 */
export class CutDisk implements Disposable {
  /** Its top folder. */
  readonly folder: string;
  readonly #top: string;
  readonly #options: string;
  #restored = 0;

  private constructor(top: string, options: string) {
    this.#top = top;
    this.#options = options;
    this.folder = join(top, 'mounted');
  }

  /**
   * @param options mount options of ext4, joined by commas; empty for the default
   * @returns undefined if it can't be created: without root's rights, loop devices, `mkfs.ext4` or
   * a C compiler
   */
  static open(options: string): CutDisk | undefined {
    if (process.getuid?.() !== 0) return undefined;
    const disk = new CutDisk(mkdtempSync(join(tmpdir(), 'bulkhead-cut-')), options);
    for (const folder of [disk.folder, disk.#next]) mkdirSync(folder);
    const isMade =
      succeeds('cc', '-O1', '-o', disk.#program, SOURCE) &&
      succeeds('truncate', '-s', SIZE, disk.#image) &&
      succeeds('/usr/sbin/mkfs.ext4', '-q', '-F', disk.#image) &&
      disk.#mountAt(disk.folder);
    if (isMade) return disk;
    disk[Symbol.dispose]();
    return undefined;
  }

  /** Cuts the power now. Returns once it is off. */
  cut(): void {
    if (!succeeds(this.#program, this.folder))
      throw new Error(`the power of ${this.folder} could not be cut`);
  }

  /** Prepares a power cut at a moment in a run. */
  async armed(microseconds: number): Promise<ArmedCut> {
    const child = spawn(this.#program, [this.folder, String(microseconds)], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    await once(child, 'spawn');
    return new ArmedCut(child);
  }

  /**
   * Restores the power: mounts the disk's content as another device. The old file system may still
   * exist in name spaces that boxes created meanwhile, and stays there.
   */
  restore(): void {
    const before = this.#image;
    this.#restored += 1;
    // Before the old file system is released, so that the new one gets another device.
    const isBack = succeeds('cp', '--sparse=always', before, this.#image) && this.#mountAt(this.#next);
    this.#unmount(this.folder);
    if (!isBack || !succeeds('mount', '--bind', this.#next, this.folder))
      throw new Error(`what ${before} holds can't be mounted again`);
    this.#unmount(this.#next);
    rmSync(before);
  }

  [Symbol.dispose](): void {
    for (const folder of [this.folder, this.#next]) succeeds('umount', '--lazy', folder);
    rmSync(this.#top, { recursive: true });
  }

  get #image(): string {
    return join(this.#top, `image-${this.#restored}`);
  }

  get #program(): string {
    return join(this.#top, 'cut-power');
  }

  get #next(): string {
    return join(this.#top, 'next');
  }

  #mountAt(folder: string): boolean {
    const options = this.#options === '' ? 'loop' : `loop,${this.#options}`;
    return succeeds('mount', '-t', 'ext4', '-o', options, this.#image, folder);
  }

  /** The loop device ends with the last mount. */
  #unmount(folder: string): void {
    if (!succeeds('umount', '--lazy', folder)) throw new Error(`${folder} can't be unmounted`);
  }
}

/** A prepared power cut. */
export class ArmedCut {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, 'close');
  }

  /** Starts its timer. */
  begin(): void {
    this.#child.stdin?.end('x');
  }

  /** Resolves once the power is off. */
  async done(): Promise<void> {
    const [code] = await this.#ended;
    if (code !== 0) throw new Error(`the power could not be cut: the helper ended with ${String(code)}`);
  }
}

function succeeds(file: string, ...args: readonly string[]): boolean {
  return spawnSync(file, args, { stdio: 'ignore' }).status === 0;
}
