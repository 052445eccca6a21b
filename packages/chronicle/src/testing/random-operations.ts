import {
  chmodSync,
  copyFileSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Numbers from 0 to below `below`, the same for the same seed. */
export type RandomNumber = (below: number) => number;

/** A change of a tree, and the paths it needs to be named. */
export interface TreeOperation {
  readonly about: string;
  readonly paths: readonly Buffer[];
  act(): void;
}

/** mulberry32, a generator of 32 bits of state by T. Ettinger; public domain. */
export function randomNumbers(seed: number): RandomNumber {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Few names, so that they collide: some are not UTF-8, some look alike. */
const NAMES = ['a', 'b', 'A', 'a b', 'a\nb', 'ä', 'a\\x0a', '\xff\xfe', '.hidden', 'node_modules', '-rf'];

interface Entry {
  readonly path: Buffer;
  readonly isFolder: boolean;
  readonly isFile: boolean;
}

/** Applies a random change, of the kind that tools and commands make, in a real folder. */
export function randomOperation(folder: string, random: RandomNumber): TreeOperation {
  const entries = entriesBelow(folder, Buffer.alloc(0));
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[random(items.length)];
  const at = (path: Buffer) => Buffer.concat([Buffer.from(`${folder}/`), path]);
  const parent = pick([undefined, ...entries.filter(({ isFolder }) => isFolder)]);
  const name = Buffer.from(pick(NAMES) ?? 'a', 'latin1');
  const free = parent === undefined ? name : Buffer.concat([parent.path, Buffer.from('/'), name]);
  const present = pick(entries);
  const all = (path: Buffer) => [path, ...below(entries, path)];
  const clear = () => rmSync(at(free), { recursive: true, force: true });
  const content = () => Buffer.alloc(random(3) === 0 ? random(70_000) : random(40), random(4));
  const make = (about: string, act: () => void): TreeOperation => ({
    about: `${about} ${free.toString('latin1')}`,
    paths: all(free),
    act: () => {
      clear();
      act();
    },
  });
  const change = (about: string, act: (entry: Entry) => void): TreeOperation => {
    if (present === undefined) return make('mkdir', () => mkdirSync(at(free)));
    return {
      about: `${about} ${present.path.toString('latin1')}`,
      paths: all(present.path),
      act: () => act(present),
    };
  };
  switch (random(11)) {
    case 0:
    case 1:
      return make('write', () => writeFileSync(at(free), content(), { mode: 0o600 + random(0o200) }));
    case 2:
      return make('mkdir', () => mkdirSync(at(free), { mode: 0o700 + random(0o100) }));
    case 3:
      return make('link', () =>
        symlinkSync(pick(['a', '../out', '/etc/passwd', '\n', '.']) ?? '.', at(free)),
      );
    case 4:
      return change(
        'append',
        ({ path, isFile }) => isFile && writeFileSync(at(path), content(), { flag: 'a' }),
      );
    case 5:
      return change('delete', ({ path }) => rmSync(at(path), { recursive: true }));
    case 6:
      return change('chmod', ({ path, isFolder, isFile }) => {
        if (isFolder) chmodSync(at(path), 0o700 + random(0o100));
        else if (isFile) chmodSync(at(path), 0o400 + random(0o3777));
      });
    case 7:
      return change('touch', ({ path }) => lutimesSync(at(path), random(2 ** 31), random(2 ** 31) + 0.5));
    case 8:
      return change('truncate', ({ path, isFile }) => isFile && truncateSync(at(path), random(9_000)));
    case 9:
      return move(present, free, { all, at, folder });
    default:
      return copy(present, free, { all, at });
  }
}

interface Places {
  all(path: Buffer): Buffer[];
  at(path: Buffer): Buffer;
}

function move(from: Entry | undefined, to: Buffer, { all, at }: Places & { folder: string }): TreeOperation {
  if (from === undefined || isWithin(to, from.path) || isWithin(from.path, to)) return nothing();
  const moved = all(from.path).map((path) => Buffer.concat([to, path.subarray(from.path.length)]));
  return {
    about: `move ${from.path.toString('latin1')} ${to.toString('latin1')}`,
    paths: [...all(from.path), ...all(to), ...moved],
    act: () => {
      rmSync(at(to), { recursive: true, force: true });
      renameSync(at(from.path), at(to));
    },
  };
}

function copy(from: Entry | undefined, to: Buffer, { all, at }: Places): TreeOperation {
  if (from === undefined || isWithin(to, from.path) || isWithin(from.path, to)) return nothing();
  const made = all(from.path).map((path) => Buffer.concat([to, path.subarray(from.path.length)]));
  return {
    about: `copy ${from.path.toString('latin1')} ${to.toString('latin1')}`,
    paths: [...all(to), ...made],
    act: () => {
      rmSync(at(to), { recursive: true, force: true });
      copyTree(at(from.path), at(to));
    },
  };
}

function copyTree(from: Buffer, to: Buffer): void {
  const stat = lstatSync(from);
  if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from, { encoding: 'buffer' }), to);
  if (stat.isFile()) copyFileSync(from, to);
  if (!stat.isDirectory()) return;
  mkdirSync(to, { mode: stat.mode });
  for (const name of readdirSync(from, { encoding: 'buffer' })) {
    const entry = (folder: Buffer) => Buffer.concat([folder, Buffer.from('/'), name]);
    copyTree(entry(from), entry(to));
  }
}

function nothing(): TreeOperation {
  return { about: 'nothing', paths: [], act: () => {} };
}

function isWithin(path: Buffer, folder: Buffer): boolean {
  return path.equals(folder) || `${path.toString('latin1')}/`.startsWith(`${folder.toString('latin1')}/`);
}

function below(entries: readonly Entry[], path: Buffer): Buffer[] {
  return entries
    .filter((entry) => !entry.path.equals(path) && isWithin(entry.path, path))
    .map((entry) => entry.path);
}

function entriesBelow(folder: string, prefix: Buffer): Entry[] {
  const full =
    prefix.length === 0 ? Buffer.from(folder) : Buffer.concat([Buffer.from(join(folder, '/')), prefix]);
  return readdirSync(full, { encoding: 'buffer' }).flatMap((name) => {
    const path = prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name]);
    const stat = lstatSync(Buffer.concat([Buffer.from(`${folder}/`), path]));
    const entry = { path, isFolder: stat.isDirectory(), isFile: stat.isFile() };
    return entry.isFolder ? [entry, ...entriesBelow(folder, path)] : [entry];
  });
}
