/** Home of a boxed command: empty at every start, gone after it. */
export const BOX_HOME = '/home/bulkhead';

/**
 * What a command of a folder works on.
 * - `overlay`, `copy`: on a view of its own; what it changes is judged, and kept or dropped as a whole.
 * - `live`: on the folder itself, because neither can be made; so every command of that folder asks.
 */
export type CommandView =
  | { readonly kind: 'overlay' | 'copy' }
  | {
      readonly kind: 'live';
      /** A clause for a person. */
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
