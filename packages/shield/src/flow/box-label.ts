import type { ToolAnnotation } from '@bulkhead/protocol';
import type { FlowCall } from './call.ts';
import type { Label } from './label.ts';
import type { LabelStore } from './label-store.ts';

/**
 * Name of the store for the private home and temporary files of a folder's commands. Without
 * slashes: a label of a folder above is not its label.
 */
export function boxStoreOf(workingFolder: string): string {
  return `box:${encodeURIComponent(workingFolder)}`;
}

/** Returns the label of the private home that a command can read; undefined for other calls. */
export function labelOfBox(
  { stores }: { readonly stores: LabelStore },
  { effect }: Pick<ToolAnnotation, 'effect'>,
  { metadata }: FlowCall,
): Label | undefined {
  if (effect !== 'execute' || metadata === undefined) return undefined;
  return stores.get(boxStoreOf(metadata.workingFolder));
}
