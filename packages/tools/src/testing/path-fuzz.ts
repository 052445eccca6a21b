import { mkdirSync, readSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { GrantedFiles } from '../files/granted-files.ts';
import { openFileForReading } from '../files/open-file.ts';
import { meaningOf, type Tree, type TreeNode } from './reference-resolver.ts';
import { memoryFolder, TemporaryFolder } from './temporary-folder.ts';

/** The comparison of walk and reference resolver. */
export interface FuzzResult {
  readonly paths: number;
  /** Number of paths for each outcome. */
  readonly meanings: Readonly<Record<string, number>>;
  /** The first paths that the walk resolves differently. */
  readonly differences: readonly {
    readonly path: string;
    readonly walk: string;
    readonly reference: string;
  }[];
}

const MAX_DIFFERENCES = 5;

const folder = (entries: Record<string, TreeNode>): Tree => new Map(Object.entries(entries));
const file = (content: string) => ({ content });
const link = (target: string) => ({ target });

function treeIn(root: string): Tree {
  const chain = Object.fromEntries(
    Array.from({ length: 44 }, (_, at) => [`l${at}`, link(at === 0 ? 'a' : `l${at - 1}`)]),
  );
  return folder({
    a: file('in a'),
    'a ': file('in a with a space'),
    'a.': file('in a with a dot'),
    '%2e%2e': folder({ a: file('in percent') }),
    '\\x2e': file('in backslash'),
    '~': file('in tilde'),
    'file:': folder({ a: file('in scheme') }),
    '...': folder({ '..a': file('in dots') }),
    sub: folder({ b: file('in b'), up: link('..'), deep: folder({ c: file('in c'), top: link(root) }) }),
    in: link('sub'),
    slash: link('sub/'),
    self: link('.'),
    loop: link('loop'),
    out: link('../outside'),
    far: link('/etc'),
    near: link(`${root}/sub/../a`),
    beside: link(`${root}/../outside`),
    beyond: link(`${root}x`),
    nothing: link('missing'),
    '.env': file('secret'),
    hidden: link('.env'),
    id_rsa: link('a'),
    ...chain,
  });
}

function makeTree(at: string, tree: Tree): void {
  for (const [name, node] of tree) {
    const path = join(at, name);
    if (node instanceof Map) {
      mkdirSync(path);
      makeTree(path, node);
    } else if ('content' in node) writeFileSync(path, node.content);
    else if ('target' in node) symlinkSync(node.target, path);
  }
}

/** First the names that resolve, then all others. */
function wordsOf(root: string): readonly [readonly string[], readonly string[]] {
  const names =
    'a b c sub deep up top in slash self loop out far near beside beyond nothing hidden l5 l39 l40 l43'.split(
      ' ',
    );
  const odd = [
    '..',
    '..',
    '..',
    '.',
    '',
    '...',
    '..a',
    '%2e%2e',
    '%2e',
    '\\x2e',
    '\\x2e\\x2e',
    '~',
    'file:',
    'a ',
    'a.',
    'a\0',
  ];
  const closed = [
    '.env',
    '.ENV',
    '.env.',
    '.env ',
    'id_rsa',
    'missing',
    'secret',
    'etc',
    'passwd',
    'outside',
  ];
  const few = 'a b c sub sub deep deep up top in slash self .. .. . %2e%2e file: ...'.split(' ');
  const all = [
    ...names,
    ...odd,
    ...closed,
    root,
    `/${root}`,
    `${root}x`,
    'x'.repeat(255),
    'x'.repeat(256),
    'y/'.repeat(2_040),
  ];
  return [few, all];
}

/**
 * Compares the walk with the reference resolver over random paths of a tree of links. Same seed,
 * same paths.
 */
export function fuzzPaths(count: number, seed: number): FuzzResult {
  using place = new TemporaryFolder(memoryFolder());
  const root = join(place.path, 'root');
  mkdirSync(root);
  mkdirSync(join(place.path, 'outside'));
  for (const name of ['a', 'secret']) writeFileSync(join(place.path, 'outside', name), 'OUTSIDE');
  const tree = treeIn(root);
  makeTree(root, tree);
  using files = GrantedFiles.open({ roots: [{ path: root, access: 'rw' }] });
  const words = wordsOf(root);
  const random = generator(seed);
  const meanings: Record<string, number> = {};
  const differences: { path: string; walk: string; reference: string }[] = [];
  for (let at = 0; at < count; at += 1) {
    const path = randomPath(words, random);
    const reference = meaningOf({ tree, rootName: root, isProtected }, path);
    const walk = contentAt(files, path);
    meanings[walk] = (meanings[walk] ?? 0) + 1;
    if (walk !== reference && differences.length < MAX_DIFFERENCES)
      differences.push({ path, walk, reference });
  }
  return { paths: count, meanings, differences };
}

function randomPath([few, all]: ReturnType<typeof wordsOf>, random: () => number): string {
  const words = random() < 0.5 ? few : all;
  const length = 1 + Math.floor(random() * random() * 12);
  const parts = Array.from({ length }, () => words[Math.floor(random() * words.length)] ?? '');
  const absolute = random() < 0.05 ? '/' : '';
  return `${absolute}${parts.join('/')}${random() < 0.1 ? '/' : ''}`;
}

/** Only these two names of the tree are closed, in any spelling. */
function isProtected(name: string): boolean {
  return /^(?:\.env|id_rsa)[. ]*$/i.test(name);
}

function contentAt(files: GrantedFiles, path: string): string {
  try {
    using location = files.locate(path, 'read');
    using opened = openFileForReading(location, 'use ls');
    const buffer = Buffer.alloc(100);
    return buffer.toString('utf8', 0, readSync(opened.fd, buffer));
  } catch (error) {
    return BulkheadError.is(error) ? error.code : `unknown: ${String(error)}`;
  }
}

/** mulberry32: good enough to spread paths, and the same everywhere. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
