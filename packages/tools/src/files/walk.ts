import type { BigIntStats } from 'node:fs';
import {
  below,
  blocked,
  Descriptor,
  failed,
  lookAtEntry,
  pathFromBytes,
  readLinkEntry,
  sameVersion,
  systemCode,
} from '@bulkhead/files';
import { type FileUse, refuseFileName, refuseFolderName } from './file-use.ts';
import type { GrantAccess } from './grant.ts';
import type { Target } from './location.ts';
import type { Trail } from './trail.ts';

/**
 * The one way from a path to an open object. Every component is opened without following links,
 * then looked at through its descriptor; a link's text is read and walked by the same rules.
 * Nothing is ever checked by name and opened later, so there is no moment in which a swapped name
 * could lead outside. Protected names [A2] are refused as they are opened: also those a link leads
 * to, and those of folders that don't exist yet. A walk makes and changes nothing.
 */

/** As the kernel's own limit (path_resolution(7)). */
const MAX_LINKS = 40;
/** As Linux file systems do: the kernel does not check a name that is never looked up. */
const MAX_NAME_BYTES = 255;

export interface WalkRules {
  /** Names under which the root is known, for links with an absolute target. */
  readonly rootNames: readonly (readonly Buffer[])[];
  /** Rights in a folder that is itself a root; undefined for any other. */
  readonly accessOf: (folder: BigIntStats) => GrantAccess | undefined;
  /** True for an object that is protected under any name. */
  readonly isClosed: (object: BigIntStats) => boolean;
  /** The purpose of the path: decides which names are refused. */
  readonly use: FileUse;
  /** Continues where a folder doesn't exist, as if it were empty. */
  readonly imagineFolders: boolean;
  /** The path as it was given, for messages. */
  readonly shown: string;
}

/**
 * @param trail starts at the root and moves to the path's end; the caller disposes it
 * @throws BulkheadError `blocked` if the path points outside the root or to a protected name,
 * `tool_failed` if it doesn't exist; system errors
 */
export function walk(trail: Trail, names: readonly Buffer[], folder: boolean, rules: WalkRules): Target {
  // A last `.` stands for "must be a folder": it is only reached if everything before it was one.
  const pending = [...names, ...(folder ? [Buffer.from('.')] : [])].reverse();
  let links = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const step = takeStep(trail, name, pending.length === 0, rules);
    if (step.kind === 'moved') continue;
    if (step.kind === 'link') {
      links += 1;
      if (links > MAX_LINKS) throw failed(rules.shown, 'too many symbolic links');
      pending.push(...linkNames(trail, step.target, rules).toReversed());
      continue;
    }
    if (pending.length === 0) {
      const { node, stat } = step;
      return { node, stat, name, hasOtherNames: hasOtherNames(trail.folder, name, stat) };
    }
    if (step.node !== undefined) {
      step.node[Symbol.dispose]();
      throw failed(rules.shown, 'a part of the path is not a folder');
    }
    if (!rules.imagineFolders) throw failed(rules.shown, 'no such file or folder');
    trail.imagine(name);
  }
  return { node: undefined, stat: trail.folder.stat(), name: undefined, hasOtherNames: false };
}

/**
 * A temporary link is gone when its file is looked at, but adding or removing a link changes the
 * change time. If that time is the same before and after the lookup and the file has one link, this
 * is its only name.
 */
function hasOtherNames(folder: Descriptor, name: Buffer, stat: BigIntStats | undefined): boolean {
  if (stat?.isFile() !== true) return false;
  const again = lookAtEntry(folder, name);
  return stat.nlink !== 1n || again?.nlink !== 1n || !sameVersion(stat, again);
}

type Step =
  | { readonly kind: 'moved' }
  | { readonly kind: 'link'; readonly target: Buffer }
  | { readonly kind: 'end'; readonly node: Descriptor | undefined; readonly stat: BigIntStats | undefined };

function takeStep(trail: Trail, name: Buffer, last: boolean, rules: WalkRules): Step {
  const text = name.toString('latin1');
  if (text === '.') return { kind: 'moved' };
  if (text === '..') {
    // As the kernel does: otherwise the path would mean another place once the folder exists.
    if (trail.missing.length > 0) throw failed(rules.shown, 'no such file or folder');
    if (!trail.leave()) throw blocked(rules.shown, 'points outside the working folder');
    return { kind: 'moved' };
  }
  refuseFolderName(name, rules.use, rules.shown);
  const node = openOrMissing(trail, name, rules);
  if (node === undefined) {
    if (last) refuseFileName(name, rules.use, rules.shown);
    return { kind: 'end', node, stat: undefined };
  }
  // Owned here until a branch below hands it on; a throw on the way must not leak it.
  using guard = new DisposableStack();
  guard.use(node);
  const stat = node.stat();
  refuseObject(stat, name, last, rules);
  if (stat.isSymbolicLink()) {
    return { kind: 'link', target: readLinkEntry(trail.folder, name) };
  }
  if (!stat.isDirectory()) {
    guard.move();
    return { kind: 'end', node, stat };
  }
  const access = rules.accessOf(stat) ?? trail.access;
  if (access === 'no') throw blocked(rules.shown, 'belongs to Bulkhead itself');
  guard.move();
  trail.enter(node, name, access);
  return { kind: 'moved' };
}

function refuseObject(stat: BigIntStats, name: Buffer, last: boolean, rules: WalkRules): void {
  if (rules.isClosed(stat)) throw blocked(rules.shown, 'is protected under another name');
  if (last && !stat.isDirectory()) refuseFileName(name, rules.use, rules.shown);
}

function openOrMissing(trail: Trail, name: Buffer, rules: WalkRules): Descriptor | undefined {
  if (trail.missing.length > 0) {
    if (name.length > MAX_NAME_BYTES) throw failed(rules.shown, 'the name is too long');
    return undefined;
  }
  try {
    return Descriptor.ofEntry(trail.folder, name);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Components of a link's target, from where the trail then stands. */
function linkNames(trail: Trail, target: Buffer, rules: WalkRules): readonly Buffer[] {
  const path = pathFromBytes(target);
  const end = path.folder ? [Buffer.from('.')] : [];
  if (!path.absolute) return [...path.names, ...end];
  const inside = rules.rootNames
    .map((prefix) => below(path.names, prefix))
    .find((rest) => rest !== undefined);
  if (inside === undefined) throw blocked(rules.shown, 'a symbolic link points outside the working folder');
  trail.backToRoot();
  return [...inside, ...end];
}
