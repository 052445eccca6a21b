import { type Descriptor, flushOpen, openFolderBelow } from '@bulkhead/files';
import { namesOfText, textOf } from '../path-names.ts';
import type { RestoreStep } from './plan-rollback.ts';

/** Makes the names in all folders of the steps durable. */
export async function flushFolders(root: Descriptor, steps: readonly RestoreStep[]): Promise<void> {
  const parents = steps.map(({ path }) => namesOfText(path).slice(0, -1));
  for (const names of new Map(parents.map((names) => [textOf(names), names])).values()) {
    using folder = openFolderBelow(root, names);
    if (folder === undefined) continue;
    using readable = folder.openContent();
    await flushOpen(readable.fd);
  }
}
