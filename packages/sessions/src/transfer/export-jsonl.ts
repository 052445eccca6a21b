import { createHash } from 'node:crypto';
import type { SessionInfo, SessionStore } from '../session-store.ts';
import { noSession } from '../store-errors.ts';
import {
  FILE_FORMAT,
  FILE_VERSION,
  type FileEntry,
  type FileFooter,
  type FileHeader,
} from './session-file.ts';
import { type TreeEntry, treeEntries } from './tree-entries.ts';

/**
 * A session as lines of JSON, each with its line feed: a header, every entry of the tree (side
 * branches and the shared part of a fork included), a footer. Accepted messages, events and actions
 * are not part of it.
 * @throws BulkheadError `not_found`, `store_corrupt`
 */
export function* exportJsonl(store: SessionStore, sessionId: string): Generator<string> {
  const info = store.getSession(sessionId);
  if (info === undefined) throw noSession(sessionId);
  const hash = createHash('sha256');
  const write = (value: FileHeader | FileEntry): string => {
    const line = `${JSON.stringify(value)}\n`;
    hash.update(line);
    return line;
  };
  yield write(headerOf(info));
  let entries = 0;
  for (const entry of treeEntries(store, sessionId)) {
    entries += 1;
    yield write(lineOf(entry));
  }
  const footer: FileFooter = { leaf: info.leaf, entries, sha256: hash.digest('hex') };
  yield `${JSON.stringify(footer)}\n`;
}

function headerOf({ title, workingFolder, createdAt, updatedAt }: SessionInfo): FileHeader {
  return { format: FILE_FORMAT, version: FILE_VERSION, title, workingFolder, createdAt, updatedAt };
}

function lineOf(entry: TreeEntry): FileEntry {
  const { id, parent, time, turn, body } = entry;
  return { id, parent, time, turn, type: entry.type === 'version_1' ? entry.stored : entry.type, body };
}
