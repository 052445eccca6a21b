import type { RollBackResponse } from '@bulkhead/protocol/client';
import type { Output } from '../output/output.ts';

/**
 * Every object of a rollback with its change, one line each, by name: `+` is restored, `-` is
 * removed, `~` gets its old content.
 */
export function restoredLines({ restored }: RollBackResponse, output: Output): readonly string[] {
  return byPath(restored).map(({ path, from, to }) => `  ${changeText(from, to)} ${output.safeLine(path)}`);
}

/** Why something can't be restored. */
export function conflictLines({ conflicts }: RollBackResponse, output: Output): readonly string[] {
  return byPath(conflicts).map(
    ({ path, reason }) => `  ! ${output.safeLine(path)} ${output.safeLine(reason)}`,
  );
}

/** Effects that a rollback can't undo. */
export function lastingLines({ lasting }: RollBackResponse, output: Output): readonly string[] {
  return lasting.map(
    ({ id, tool, reason }) =>
      `not undone: ${output.safeLine(tool)} ${output.safe(id)}: ${output.safeLine(reason)}`,
  );
}

/** Properties of a restored object that differ from the original. Show it after the objects. */
export function limitLines({ limits }: RollBackResponse, output: Output): readonly string[] {
  return limits.map((limit) => output.safeLine(limit));
}

/**
 * Sorted so that a folder precedes its content; names are compared by bytes, equally on every
 * machine.
 */
function byPath<Entry extends { readonly path: string }>(entries: readonly Entry[]): readonly Entry[] {
  const keyed = entries.map((entry) => ({ entry, key: entry.path.replaceAll('/', '\0') }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ entry }) => entry);
}

function changeText(from: string, to: string): string {
  if (to === 'missing') return `- ${from}`;
  return from === 'missing' ? `+ ${to}` : `~ ${to}`;
}
