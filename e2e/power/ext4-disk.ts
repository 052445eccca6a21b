import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { until } from '../support/until.ts';
import type { DiskModel, DiskObject } from './disk-model.ts';
import type { Moment, ObjectId, ObjectType } from './operation.ts';

const SIZE = '2G';
const INODES = 32_768;
const FIRST_FREE_INODE = 11;
/** No checksums and no lazy tables: numbers of inodes are chosen below, which these would have to follow. */
const FEATURES = '^metadata_csum,^uninit_bg,^resize_inode,^orphan_file';
/** Many more inodes than files, so that a number of one disk exists on every other. */
const MAKE = ['-q', '-F', '-b', '4096', '-N', String(INODES), '-J', 'size=4', '-O', FEATURES];
const TYPES: Readonly<Record<ObjectType, number>> = {
  file: 0o100000,
  folder: 0o040000,
  link: 0o120000,
  socket: 0o140000,
  other: 0o020000,
};
const UNUSED_MS = 20_000;
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * An ext4 file system in a file, mounted at one place whatever it holds: paths, numbers of inodes,
 * their times of birth and of change are those of the modelled disk, so a program that identifies a
 * file by them finds the same one.
 */
export class Ext4Disk implements AsyncDisposable {
  /** Where it is mounted. */
  readonly folder: string;
  readonly #base: string;
  /** The file that it lies in. */
  readonly image: string;
  readonly #blobs: string;
  /** The same as long as this lives, so that the file system has one device number whatever it holds. */
  readonly #device: string;
  #isMounted = false;

  /**
   * @param top an existing folder on another disk, in which all is made
   * @throws Error outside a mount name space of the caller's own: a box of somebody else would hold the disk after its end
   */
  constructor(top: string) {
    this.folder = join(top, 'disk');
    this.#base = join(top, 'base.img');
    this.image = join(top, 'disk.img');
    this.#blobs = join(top, 'blobs');
    mkdirSync(this.folder);
    mkdirSync(this.#blobs);
    run('truncate', ['-s', SIZE, this.#base]);
    run('mkfs.ext4', [...MAKE, this.#base]);
    this.#copyBase();
    this.#device = run('losetup', ['--find', '--show', this.image]).stdout.trim();
  }

  /** @returns why none can be mounted here; undefined if one can */
  static obstacle(): string | undefined {
    if (process.getuid?.() !== 0) return 'only root may mount';
    if (!existsSync('/dev/loop-control')) return 'there are no loop devices';
    const missing = ['mkfs.ext4', 'debugfs', 'losetup', 'unshare'].find((name) => !isProgram(name));
    return missing === undefined ? undefined : `${missing} is not here`;
  }

  /** Mounts an empty one. @param options as `mount -o` takes them */
  mountEmpty(options = 'defaults'): void {
    this.#copyBase();
    this.mountAgain(options);
  }

  /** Mounts one that holds a modelled disk. */
  mountModel(model: DiskModel): void {
    this.#copyBase();
    const script = this.#scriptOf(model);
    const { stderr } = run('debugfs', ['-w', '-f', '-', this.image], script);
    const problems = stderr.split('\n').filter((line) => line !== '' && !/^debugfs \d/.test(line));
    if (problems.length > 0)
      throw new Error(`debugfs can't make the disk: ${problems.slice(0, 3).join('; ')}`);
    this.mountAgain('defaults');
  }

  /** Mounts it as it was left. Its journal repairs the operations that a loss of power cut off. */
  mountAgain(options: string): void {
    run('blockdev', ['--flushbufs', this.#device]);
    run('mount', ['-t', 'ext4', '-o', options, this.#device, this.folder]);
    this.#isMounted = true;
  }

  /** @returns once the kernel has let go of it: until then, to mount it again shows what it held before */
  async unmount(): Promise<void> {
    if (!this.#isMounted) return;
    const isFree = () => spawnSync('umount', [this.folder], { env: { PATH } }).status === 0;
    // The last of a killed box's processes goes a moment after the others.
    await until(`${this.folder} is not used any more`, isFree, UNUSED_MS);
    this.#isMounted = false;
    const alive = `/sys/fs/ext4/${basename(this.#device)}`;
    await until('the kernel has let go of the disk', () => !existsSync(alive), UNUSED_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.unmount();
    run('losetup', ['--detach', this.#device]);
  }

  #copyBase(): void {
    run('cp', ['--sparse=always', '--reflink=auto', this.#base, this.image]);
  }

  /** Takes all numbers away but the one that the next object is to have. */
  #scriptOf(model: DiskModel): string {
    const placed = [...model.placed()].filter(({ path }) => path !== 'lost+found');
    const numbers = numbersOf(placed.map(({ object }) => object));
    const links = new Map<number, number>();
    const lines = [`seti <${FIRST_FREE_INODE + 1}> ${INODES - FIRST_FREE_INODE}`];
    for (const { path, object } of placed) {
      const number = numbers.get(object.id) ?? 0;
      const count = (links.get(number) ?? 0) + 1;
      links.set(number, count);
      if (count > 1) lines.push(...linkTo(number, path, count));
      else if (path === '') lines.push(...factsOf(number, object));
      else lines.push(...this.#object(path, number, object), ...factsOf(number, object));
    }
    const used = [...links.keys()];
    let first = FIRST_FREE_INODE + 1;
    for (const number of [...used.filter((one) => one >= first).toSorted((a, b) => a - b), INODES + 1]) {
      if (number > first) lines.push(`freei <${first}> ${number - first}`);
      first = number + 1;
    }
    return `${lines.join('\n')}\nquit\n`;
  }

  #object(path: string, number: number, { birth, bytes }: DiskObject): readonly string[] {
    const [folder, name] = split(path);
    const make = ((): string => {
      switch (birth.type) {
        case 'folder':
          return `mkdir ${name}`;
        case 'link':
          return `symlink ${name} ${birth.target}`;
        case 'other':
          // A whiteout of an overlay: the product makes no other.
          return `mknod ${name} c 0 0`;
        case 'file':
        case 'socket':
          return `write ${this.#blob(bytes)} ${name}`;
      }
    })();
    return [`freei <${number}>`, `cd /${folder}`, make];
  }

  #blob(bytes: Uint8Array): string {
    const path = join(this.#blobs, createHash('sha256').update(bytes).digest('hex'));
    if (!existsSync(path)) writeFileSync(path, bytes);
    return path;
  }
}

function factsOf(number: number, object: DiskObject): readonly string[] {
  const { birth, mode, changed } = object;
  const set = (field: string, value: string) => `sif <${number}> ${field} ${value}`;
  return [
    set('mode', `0${(TYPES[birth.type] | mode).toString(8)}`),
    ...timeLines(set, 'crtime', birth.born),
    ...timeLines(set, 'mtime', changed),
    ...timeLines(set, 'ctime', changed),
  ];
}

/**
 * Each object has its own number. Where an object was removed, its number given to another, and only the removal lost, the newer
 * one has it: what matters after a start are the newest.
 */
function numbersOf(objects: readonly DiskObject[]): ReadonlyMap<ObjectId, number> {
  const numbers = new Map<ObjectId, number>();
  const taken = new Set<number>();
  let last = INODES;
  for (const { id, birth } of objects.toSorted((a, b) => b.id - a.id)) {
    if (numbers.has(id)) continue;
    const number = taken.has(birth.number) ? last : birth.number;
    if (number === last) last -= 1;
    numbers.set(id, number);
    taken.add(number);
  }
  return numbers;
}

function linkTo(number: number, path: string, links: number): readonly string[] {
  const [folder, name] = split(path);
  return [`cd /${folder}`, `ln <${number}> ${name}`, `sif <${number}> links_count ${links}`];
}

function split(path: string): readonly [folder: string, name: string] {
  if (!/^[\w.@+,=#/-]+$/.test(path)) throw new Error(`debugfs takes no name like ${JSON.stringify(path)}`);
  const at = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, at)), path.slice(at + 1)];
}

function timeLines(
  set: (field: string, value: string) => string,
  field: string,
  { seconds, nanoseconds }: Moment,
): readonly string[] {
  // The two lowest bits of the second half are of seconds after 2038.
  return [set(field, `@${seconds}`), set(`${field}_extra`, String(nanoseconds * 4))];
}

function isProgram(name: string): boolean {
  return PATH.split(':').some((folder) => existsSync(join(folder, name)));
}

/** @throws Error with what it said */
function run(program: string, args: readonly string[], input?: string) {
  const done = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH, LANG: 'C' },
    ...(input === undefined ? {} : { input }),
  });
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${done.stderr}`);
  return done;
}
