import type { BigIntStats } from 'node:fs';
import {
  Descriptor,
  failed,
  lookAtEntry,
  openFolderBelow,
  pathText,
  readLinkEntry,
  sameVersion,
  systemCode,
} from '@bulkhead/files';
import { MISSING, type ObjectState } from './object-state.ts';
import type { CopiedContent } from './store/copy-content.ts';

/** Most attempts for an object that changes while it is read. */
const MAX_LOOKS = 3;
const MODE_BITS = 0o7777n;

export interface Look {
  readonly state: ObjectState;
  /** Identifies the object later; undefined if none exists. */
  readonly stat: BigIntStats | undefined;
}

/** Reads a regular file: hashes it, and may keep it. */
export type ReadContent = (file: Descriptor) => Promise<CopiedContent>;

const NOTHING: Look = { state: MISSING, stat: undefined };

/**
 * Returns the object with a name below a folder. Follows no link: a path through a link has no
 * object.
 *
 * @param names of the parent folders and of the object; empty for the root itself
 * @throws BulkheadError `tool_failed` if it keeps changing; the system's error if it can't be read
 */
export async function lookAtObject(
  root: Descriptor,
  names: readonly Buffer[],
  read: ReadContent,
): Promise<Look> {
  const name = names.at(-1);
  if (name === undefined) return folderLook(root.stat());
  using folder = openFolderBelow(root, names.slice(0, -1));
  if (folder === undefined) return NOTHING;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const look = await lookOnce(folder, name, read);
    if (look !== undefined) return look;
  }
  throw failed(pathText(name), 'changes while it is being read');
}

/** @returns undefined if it changed meanwhile */
async function lookOnce(folder: Descriptor, name: Buffer, read: ReadContent): Promise<Look | undefined> {
  using node = openEntry(folder, name);
  if (node === undefined) return NOTHING;
  const stat = node.stat();
  if (stat.isDirectory()) return folderLook(stat);
  const time = String(stat.mtimeNs);
  const mode = Number(stat.mode & MODE_BITS);
  if (stat.isSymbolicLink()) {
    const target = readLink(folder, name);
    const now = lookAtEntry(folder, name);
    if (target === undefined || now === undefined || !sameVersion(now, stat)) return undefined;
    return { state: { kind: 'link', time, ...ownerOf(stat), target: pathText(target) }, stat };
  }
  if (!stat.isFile()) return { state: { kind: 'other', mode, time }, stat };
  using file = node.openContent();
  const { hash, size } = await read(file);
  if (!sameVersion(file.stat(), stat)) return undefined;
  return { state: { kind: 'file', mode, time, ...ownerOf(stat), size, hash }, stat };
}

function folderLook(stat: BigIntStats): Look {
  const mode = Number(stat.mode & MODE_BITS);
  return { state: { kind: 'folder', mode, time: String(stat.mtimeNs), ...ownerOf(stat) }, stat };
}

/** Nothing for a user who could not give it back. */
function ownerOf({ uid, gid }: BigIntStats): { owner?: string } {
  return process.geteuid?.() === 0 ? { owner: `${uid}:${gid}` } : {};
}

function openEntry(folder: Descriptor, name: Buffer): Descriptor | undefined {
  try {
    return Descriptor.ofEntry(folder, name);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function readLink(folder: Descriptor, name: Buffer): Buffer | undefined {
  try {
    return readLinkEntry(folder, name);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'EINVAL') return undefined;
    throw error;
  }
}
