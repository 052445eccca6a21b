import {
  Descriptor,
  flushOpen,
  makeLinkEntry,
  pathFromText,
  setEntryOwner,
  setEntryTime,
} from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import type { ObjectState } from '../object-state.ts';
import type { BlobStore } from '../store/blob-store.ts';
import { copyContent } from '../store/copy-content.ts';

/**
 * Creates a file or link in its old state at a free name, and flushes it, before it gets its own
 * name.
 *
 * @throws BulkheadError `store_corrupt` if the kept content has changed; the system's error
 */
export async function makeObject(
  folder: Descriptor,
  name: Buffer,
  to: ObjectState,
  blobs: BlobStore,
): Promise<void> {
  if (to.kind === 'link') {
    makeLinkEntry(folder, name, pathFromText(to.target));
    if (to.owner !== undefined) setEntryOwner(folder, name, to.owner);
    setEntryTime(folder, name, BigInt(to.time));
    return;
  }
  if (to.kind !== 'file') throw new BulkheadError('internal', `nothing of kind ${to.kind} can be made`);
  using blob = blobs.open(to.hash);
  using file = Descriptor.create(folder, name, 0o600);
  const { hash } = await copyContent(blob.fd, file.fd);
  if (hash !== to.hash) {
    throw new BulkheadError('store_corrupt', `the content ${to.hash} in the chronicle is damaged`, {
      fix: '`bulkhead chronicle verify` shows what else is.',
    });
  }
  // Before the mode: a new owner takes set-user bits off.
  if (to.owner !== undefined) file.setOwner(to.owner);
  file.setMode(to.mode);
  file.setTimeNs(BigInt(to.time));
  await flushOpen(file.fd);
}
