import { Descriptor, openFolderBelow } from '@bulkhead/files';
import type { Chronicle } from './chronicle.ts';
import { lookAtObject } from './look-at-object.ts';
import { type ObjectState, sameContent } from './object-state.ts';
import { namesOfText } from './path-names.ts';
import { compose } from './rollback/compose.ts';
import { hashOnly } from './store/copy-content.ts';

/** A larger content is described by its size. */
const MAX_SHOWN_BYTES = 512 * 1024;

/** The effect of some actions on one object, and its state since. */
export interface Difference {
  readonly path: string;
  readonly before: ObjectState;
  /** Undefined if it was never observed. */
  readonly after: ObjectState | undefined;
  /** True if it changed after the actions. */
  readonly isEdited: boolean;
  /** Contents of files that still exist and are small enough. */
  readonly contentBefore: Buffer | undefined;
  readonly contentNow: Buffer | undefined;
}

/**
 * Yields one at a time: only the two contents of one file are in memory.
 *
 * @param ids of the actions, of one folder
 * @throws BulkheadError `not_found`, `store_corrupt`; the system's errors
 */
export async function* differences(chronicle: Chronicle, ids: readonly string[]): AsyncGenerator<Difference> {
  const snapshots = ids.map((id) => chronicle.read(id)).toSorted((a, b) => a.order - b.order);
  const [first] = snapshots;
  if (first === undefined) return;
  using root = Descriptor.ofTrustedFolder(first.folder.path);
  for (const { path, before, after } of compose(snapshots)) {
    if (after !== undefined && sameContent(before, after)) continue;
    const names = namesOfText(path);
    const { state } = await lookAtObject(root, names, hashOnly);
    yield {
      path,
      before,
      after,
      isEdited: after === undefined || !sameContent(after, state),
      contentBefore: before.kind === 'file' ? readBlob(chronicle, before) : undefined,
      contentNow: state.kind === 'file' ? readNow(root, names) : undefined,
    };
  }
}

function readBlob({ blobs }: Chronicle, { hash, size }: { hash: string; size: number }): Buffer | undefined {
  if (size > MAX_SHOWN_BYTES) return undefined;
  using file = blobs.open(hash);
  return file.readUpTo(MAX_SHOWN_BYTES);
}

function readNow(root: Descriptor, names: readonly Buffer[]): Buffer | undefined {
  const name = names.at(-1);
  using folder = openFolderBelow(root, names.slice(0, -1));
  if (name === undefined || folder === undefined) return undefined;
  using node = Descriptor.ofEntry(folder, name);
  if (!node.stat().isFile()) return undefined;
  using file = node.openContent();
  return file.readUpTo(MAX_SHOWN_BYTES);
}
