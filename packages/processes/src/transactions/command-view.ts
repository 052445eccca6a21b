/** Home of a boxed command: empty at every start, removed after it. */
export const BOX_HOME = '/home/bulkhead';

/**
 * The view of a folder that a command works on.
 * - `overlay`, `copy`: its own view; its changes are checked, and committed or discarded as a
 *   whole.
 * - `live`: the folder itself, because neither can be made; so every command of that folder needs
 *   approval.
 */
export type CommandView =
  | { readonly kind: 'overlay' | 'copy' }
  | {
      readonly kind: 'live';
      /** A clause for the user. */
      readonly why: string;
    };

/** A view in a few words, for `doctor`. */
export function describeView(view: CommandView): string {
  switch (view.kind) {
    case 'overlay':
      return 'what commands change is judged first, then kept or dropped as a whole (they run on an overlay of their folder)';
    case 'copy':
      return 'commands run on a copy of their folder, which takes longer: no overlay can be made here (docs/containment.md)';
    case 'live':
      return `every command asks, and changes its folder at once: ${view.why}`;
  }
}
