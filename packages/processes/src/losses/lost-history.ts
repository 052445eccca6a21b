import { setImmediate } from 'node:timers/promises';
import type { LostContent, ObservedChange } from '@bulkhead/protocol';
import { type ChangedFolders, FolderView, keyOf } from './folder-view.ts';
import { indexedBlobs } from './git-index.ts';
import { type GitLink, linksOf } from './git-links.ts';
import { GitObjects, isSpent, type ReadBudget } from './git-objects.ts';
import { gitTips, namesInLog, namesInRef } from './git-tips.ts';
import { PackIndex } from './pack-index.ts';

const MAX_INDEX_BYTES = 64 * 1024 ** 2;
const OBJECT = /^(?:(.*)\/)?objects\/([0-9a-f]{2})\/([0-9a-f]{38})$/;
const PACK = /^(?:(.*)\/)?objects\/pack\/(pack-[0-9a-f]{40})\.(?:pack|idx)$/;
/** A linked worktree has refs of its own in the repository. */
const WORKTREE = /\/worktrees\/[^/]+$/;
const REF = /^(?:(.*)\/)?(?:refs\/.+|packed-refs|HEAD)$/;
/** Commits of a branch that goes: more are as many. */
const MAX_COMMITS = 20_000;
const OBJECTS_AT_ONCE = 256;
/** Names from packs that go: more than any budget reads, so that what is beyond counts as lost. */
const MAX_NAMES = 200_000;
const NAMES_AT_ONCE = 8_192;

/** The changes of a command to one repository. */
interface Touched {
  /** Objects that lay in files which went or changed. */
  readonly objects: Set<string>;
  /** Files of refs that went or changed. */
  readonly refs: string[];
}

/**
 * Finds the history that a command's changes would destroy: objects that git reached before and that
 * are whole nowhere afterwards, and commits that no branch, tag, stash or reflog leads to any more.
 * An object that was unreachable before (`git gc`) is no one's work.
 */
export async function lostHistory(
  changes: readonly ObservedChange[],
  folders: ChangedFolders,
  budget: ReadBudget,
): Promise<readonly LostContent[]> {
  const touched = await touchedBy(changes, folders);
  const lost: LostContent[] = [];
  for (const [folder, what] of touched) {
    const count = await lostOf(folder, what, changes, folders, budget);
    const path = Buffer.from(folder === '' ? '.' : folder, 'latin1');
    if (count > 0) lost.push({ path, what: 'history', count });
  }
  return lost;
}

async function touchedBy(
  changes: readonly ObservedChange[],
  folders: ChangedFolders,
): Promise<ReadonlyMap<string, Touched>> {
  const found = new Map<string, Touched>();
  const packs = new Set<string>();
  const of = (folder = ''): Touched => {
    const known = found.get(folder) ?? { objects: new Set(), refs: [] };
    found.set(folder, known);
    return known;
  };
  for (const change of changes.filter(({ was, what }) => was === 'file' && what !== 'metadata')) {
    const path = keyOf(change);
    const [object, pack] = [OBJECT.exec(path), PACK.exec(path)];
    if (object !== null) of(object[1]).objects.add(`${object[2]}${object[3]}`);
    else if (pack !== null) packs.add(`${pack[1] ?? ''}\0${pack[2]}`);
    else if (isRef(path)) of(REF.exec(path)?.[1]?.replace(WORKTREE, '')).refs.push(path);
  }
  if (packs.size > 0) await addPacked(packs, of, folders);
  return found;
}

/** Outside a `.git`, many things are called like that. */
function isRef(path: string): boolean {
  return REF.test(path) && /\.git\//.test(path);
}

async function addPacked(
  packs: ReadonlySet<string>,
  of: (folder?: string) => Touched,
  folders: ChangedFolders,
): Promise<void> {
  using before = FolderView.before(folders);
  let left = MAX_NAMES;
  for (const pack of packs) {
    if (left <= 0) break;
    await setImmediate();
    const [folder = '', name = ''] = pack.split('\0');
    const path = `${folder === '' ? '' : `${folder}/`}objects/pack/${name}.idx`;
    const bytes = before.read(path, MAX_INDEX_BYTES);
    const index = bytes === undefined ? undefined : PackIndex.read(bytes);
    const count = Math.min(index?.count ?? 0, left);
    left -= count;
    for (let at = 0; at < count; at += 1) {
      if (at % NAMES_AT_ONCE === 0) await setImmediate();
      of(folder).objects.add(index?.nameOf(at) ?? '');
    }
  }
}

async function lostOf(
  folder: string,
  { objects, refs }: Touched,
  changes: readonly ObservedChange[],
  folders: ChangedFolders,
  budget: ReadBudget,
): Promise<number> {
  using before = FolderView.before(folders);
  using after = FolderView.after(folders, changes);
  using there = new GitObjects(after, folder, budget);
  const missing = new Set<string>();
  let at = 0;
  for (const name of objects) {
    if (at++ % OBJECTS_AT_ONCE === 0) await setImmediate();
    if ((await there.read(name)) === undefined) missing.add(name);
  }
  const commits = refs.length === 0 ? 0 : await lostCommits(folder, refs, { before, after }, there, budget);
  if (missing.size === 0) return commits;
  using old = new GitObjects(before, folder, budget);
  return commits + (await reachedOf(missing, rootsOf(before, folder), old, budget));
}

/** Where git begins. */
interface Roots {
  readonly names: readonly string[];
  /** Blobs: they name nothing. */
  readonly staged: ReadonlySet<string>;
}

function rootsOf(view: FolderView, folder: string): Roots {
  const { refs, logs } = gitTips(view, folder);
  const index = view.read(folder === '' ? 'index' : `${folder}/index`, MAX_INDEX_BYTES);
  const staged = index === undefined ? undefined : indexedBlobs(index);
  return { names: [...refs, ...logs], staged: staged ?? new Set() };
}

/** How many of these objects git reaches; all that it may, if there is too much to look at. */
async function reachedOf(
  missing: ReadonlySet<string>,
  { names, staged }: Roots,
  objects: GitObjects,
  budget: ReadBudget,
): Promise<number> {
  const queue = [...names];
  const seen = new Set([...names, ...staged]);
  let count = [...seen].filter((name) => missing.has(name)).length;
  for (const [at, name] of queue.entries()) {
    if (objects.isLimited || isSpent(budget)) return missing.size;
    if (count === missing.size) break;
    if (at % OBJECTS_AT_ONCE === 0) await setImmediate();
    const fresh = await freshLinks(objects, name, seen);
    count += fresh.filter((link) => missing.has(link.name)).length;
    // A blob names nothing.
    for (const link of fresh) if (link.type !== 'blob') queue.push(link.name);
  }
  return objects.isLimited ? missing.size : count;
}

/** Objects that an object names, and that were not seen yet. */
async function freshLinks(objects: GitObjects, name: string, seen: Set<string>): Promise<readonly GitLink[]> {
  const fresh = new Map((await linksAt(objects, name)).map((link) => [link.name, link]));
  const links = [...fresh.values()].filter((link) => !seen.has(link.name));
  for (const link of links) seen.add(link.name);
  return links;
}

async function linksAt(objects: GitObjects, name: string): Promise<readonly GitLink[]> {
  const object = await objects.read(name);
  return object === undefined ? [] : linksOf(object);
}

/** Commits that the old refs led to, and nothing leads to now. */
async function lostCommits(
  folder: string,
  refs: readonly string[],
  { before, after }: { readonly before: FolderView; readonly after: FolderView },
  there: GitObjects,
  budget: ReadBudget,
): Promise<number> {
  const old = refs.flatMap((path) => namesInRef(before, path));
  // Most often a branch went on: its reflog says from where.
  const logs = ['HEAD', ...refs.map((path) => path.slice(folder.length + 1))];
  const logged = new Set(logs.flatMap((name) => namesInLog(after, `${folder}/logs/${name}`)));
  const open = old.filter((name) => !logged.has(name));
  if (open.length === 0) return 0;
  const tips = gitTips(after, folder);
  const led = new Set([...tips.refs, ...tips.logs]);
  const gone = open.filter((name) => !led.has(name));
  if (gone.length === 0) return 0;
  const present = await commitsFrom([...led], there, budget, new Set());
  const lost = await commitsFrom(gone, there, budget, present);
  return lost.size;
}

/** Commits from these tips on, without those that are known, newest first within a bound. */
async function commitsFrom(
  tips: readonly string[],
  objects: GitObjects,
  budget: ReadBudget,
  known: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const queue = tips.filter((name) => !known.has(name));
  const seen = new Set(queue);
  for (const [at, name] of queue.entries()) {
    if (seen.size > MAX_COMMITS || isSpent(budget)) break;
    if (at % OBJECTS_AT_ONCE === 0) await setImmediate();
    for (const next of await linksAt(objects, name)) {
      if (next.type !== 'commit' || known.has(next.name) || seen.has(next.name)) continue;
      seen.add(next.name);
      queue.push(next.name);
    }
  }
  return seen;
}
