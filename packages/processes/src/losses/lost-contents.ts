import { setImmediate } from 'node:timers/promises';
import {
  type CommandEffects,
  foldName,
  type LostContent,
  nameMatcher,
  type ObservedChange,
} from '@bulkhead/protocol';
import { isRebuildableName } from '../transactions/known-places.ts';
import { type ContentHashes, hashesOf } from './content-hashes.ts';
import { repositoryAround } from './find-repository.ts';
import { type ChangedFolders, FolderView, keyOf } from './folder-view.ts';
import { GitHistory, type Repository } from './git-history.ts';
import type { ReadBudget } from './git-objects.ts';
import { isEdit } from './is-edit.ts';
import { lostHistory } from './lost-history.ts';

/** Contents that may be read for one judgement; what is left then counts as lost. */
const MAX_FILES = 20_000;
const MAX_BYTES = 256 * 1024 ** 2;
const MAX_OBJECTS = 20_000;
const MAX_HISTORY_OBJECTS = 50_000;
/** Bases are kept for the next delta, so that most deltas need none to be opened. */
const ENTRIES_PER_OBJECT = 5;
/** A file that is read: a larger one counts without a look. */
const MAX_FILE_BYTES = 32 * 1024 ** 2;
/** Files that are read before other work gets its turn: some milliseconds. */
const FILES_AT_ONCE = 64;

const isGit = nameMatcher(['.git']);

/** A file that goes or is overwritten. */
interface Candidate {
  readonly change: ObservedChange;
  /** A character a byte. */
  readonly key: string;
  hashes?: ContentHashes;
}

/**
 * Finds what would be lost once a command's changes are kept: contents of files and links that go or are
 * overwritten, and that are neither in the folder under another name that counts, nor an older form of what is there
 * now, nor in a repository of the folder where git reaches them; and history of repositories. Folders
 * that programs make again don't count. Within bounds: what could not be looked at counts as lost.
 */
export async function withLosses(effects: CommandEffects, folders: ChangedFolders): Promise<CommandEffects> {
  const candidates = candidatesOf(effects.changes);
  const history = await lostHistory(effects.changes, folders, {
    objects: MAX_HISTORY_OBJECTS,
    entries: ENTRIES_PER_OBJECT * MAX_HISTORY_OBJECTS,
    bytes: 4 * MAX_BYTES,
  });
  if (candidates.length === 0) return { ...effects, lost: history };
  using before = FolderView.before(folders);
  using after = FolderView.after(folders, effects.changes);
  const reading = { files: MAX_FILES, bytes: MAX_BYTES };
  let left = await withoutEdits(candidates, before, after, reading);
  left = await withoutMoved(left, effects.changes, after, reading);
  left = await withoutHeld(left, after, folders.work, {
    objects: MAX_OBJECTS,
    entries: ENTRIES_PER_OBJECT * MAX_OBJECTS,
    bytes: 2 * MAX_BYTES,
  });
  const lost = left.map(({ change, hashes }): LostContent => {
    const content = { path: change.path, what: whatOf(change), count: 1 };
    return hashes === undefined ? content : { ...content, hash: hashes.sha256 };
  });
  return { ...effects, lost: [...lost, ...history] };
}

/** True for a change that may lose a content, wherever that lies. */
export function mayLose({ what, kind, was, wasSize }: ObservedChange): boolean {
  if (was !== 'file' && was !== 'link') return false;
  if (what === 'deleted') return true;
  return (what === 'changed' || what === 'replaced') && (kind !== was || was === 'link' || wasSize > 0);
}

function candidatesOf(changes: readonly ObservedChange[]): Candidate[] {
  const isMade = belowMadeNames();
  return changes
    .filter((change) => mayLose(change) && !isMade(change))
    .map((change) => ({ change, key: keyOf(change) }));
}

/** @returns a test for what lies in a folder that programs make, or in `.git`: its loss never counts */
function belowMadeNames(): (change: ObservedChange) => boolean {
  const known = new Map<string, boolean>();
  const isMade = (name: string): boolean => {
    const found = known.get(name) ?? (isRebuildableName(foldName(name)) || isGit(name));
    known.set(name, found);
    return found;
  };
  return ({ path }) => Buffer.from(path).toString('utf8').split('/').some(isMade);
}

function whatOf({ what }: ObservedChange): 'deleted' | 'overwritten' {
  return what === 'deleted' ? 'deleted' : 'overwritten';
}

interface Reading {
  files: number;
  bytes: number;
}

/** Reads and hashes each, and leaves out older forms of what has the name now. */
async function withoutEdits(
  candidates: readonly Candidate[],
  before: FolderView,
  after: FolderView,
  reading: Reading,
): Promise<Candidate[]> {
  const left: Candidate[] = [];
  for (const [at, candidate] of candidates.entries()) {
    if (at % FILES_AT_ONCE === 0) await setImmediate();
    const { change, key } = candidate;
    const old = takes(reading, change.wasSize)
      ? contentOf(before, change.was, key, change.wasSize)
      : undefined;
    const mayBeEdit = old !== undefined && change.was === 'file' && change.kind === 'file';
    const now = mayBeEdit && takes(reading, change.size) ? after.read(key, change.size) : undefined;
    if (old !== undefined && now !== undefined && isEdit(old, now)) continue;
    left.push(old === undefined ? candidate : { ...candidate, hashes: hashesOf(old) });
  }
  return left;
}

/**
 * Leaves out what lies under a new name, or in the place of something else. Not below a name whose loss
 * doesn't count: nothing would ask when it goes from there.
 */
async function withoutMoved(
  candidates: readonly Candidate[],
  changes: readonly ObservedChange[],
  after: FolderView,
  reading: Reading,
): Promise<Candidate[]> {
  const sizes = new Set(candidates.filter(({ hashes }) => hashes !== undefined).map(sizeClass));
  if (sizes.size === 0) return [...candidates];
  const there = new Set<string>();
  const isMade = belowMadeNames();
  const present = changes.filter((change) => {
    const { kind, what, size } = change;
    if (what === 'deleted' || what === 'metadata' || isMade(change)) return false;
    return sizes.has(kind === 'link' ? 'link' : String(size));
  });
  for (const [at, change] of present.entries()) {
    if (at % FILES_AT_ONCE === 0) await setImmediate();
    const { kind, size } = change;
    const key = keyOf(change);
    const content = takes(reading, size) ? contentOf(after, kind, key, size) : undefined;
    if (content !== undefined) there.add(contentKey(hashesOf(content).sha256, kind, size, key));
  }
  return candidates.filter(({ change, key, hashes }) => {
    if (hashes === undefined) return true;
    return !there.has(contentKey(hashes.sha256, change.was, change.wasSize, key));
  });
}

function sizeClass({ change: { was, wasSize } }: Candidate): string {
  return was === 'link' ? 'link' : String(wasSize);
}

/** An empty file is all name: another name is not the same. */
function contentKey(hash: string, kind: ObservedChange['kind'], size: number, path: string): string {
  const name = kind === 'file' && size === 0 ? path.slice(path.lastIndexOf('/') + 1) : '';
  return `${kind} ${hash} ${name}`;
}

/** Leaves out what a repository holds that is there afterwards. */
async function withoutHeld(
  candidates: readonly Candidate[],
  after: FolderView,
  work: string,
  budget: ReadBudget,
): Promise<Candidate[]> {
  const known = new Map<string, Repository | undefined>();
  const groups = Map.groupBy(
    candidates.filter(({ hashes }) => hashes !== undefined),
    ({ key }) => repositoryAround(after, work, key, known),
  );
  const held = new Set<Candidate>();
  for (const [repository, items] of groups) {
    if (repository === undefined) continue;
    await setImmediate();
    using history = new GitHistory(after, repository, budget);
    const start = repository.files === '' ? 0 : repository.files.length + 1;
    const wanted = items.map((candidate) => ({
      candidate,
      path: candidate.key.slice(start),
      blob: candidate.hashes?.blob ?? '',
    }));
    for (const { candidate } of await history.heldOf(wanted)) held.add(candidate);
  }
  return candidates.filter((candidate) => !held.has(candidate));
}

/** @returns undefined if it can't be read, or is not as large as it should be */
function contentOf(
  view: FolderView,
  kind: ObservedChange['kind'],
  key: string,
  size: number,
): Buffer | undefined {
  if (kind === 'link') return view.linkText(key);
  if (kind !== 'file') return undefined;
  const bytes = view.read(key, size);
  return bytes?.length === size ? bytes : undefined;
}

function takes(reading: Reading, bytes: number): boolean {
  if (reading.files <= 0 || reading.bytes < bytes || bytes > MAX_FILE_BYTES) return false;
  reading.files -= 1;
  reading.bytes -= bytes;
  return true;
}
