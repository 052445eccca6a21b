import { Descriptor, openFolderBelow } from '@bulkhead/files';
import type { Chronicle } from './chronicle.ts';
import { lookAtObject } from './look-at-object.ts';
import { type ObjectState, sameContent } from './object-state.ts';
import { namesOfText } from './path-names.ts';
import { compose } from './rollback/compose.ts';
import { hashOnly } from './store/copy-content.ts';

/** Beyond this a content is told by its size. */
const MAX_SHOWN_BYTES = 512 * 1024;

/** What some actions did to one object, and what became of it since. */
export interface Difference {
  readonly path: string;
  readonly before: ObjectState;
  /** Undefined if it was never seen. */
  readonly after: ObjectState | undefined;
  /** True if it is not any more what the actions left. */
  readonly isEdited: boolean;
  /** Contents of files, where there is one, it is there, and it is small enough. */
  readonly contentBefore: Buffer | undefined;
  readonly contentNow: Buffer | undefined;
}

/**
 * One at a time: nothing but the two contents of one file is in memory.
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
