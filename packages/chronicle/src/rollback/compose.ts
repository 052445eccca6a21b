import { type ObjectState, sameContent, sameTime } from '../object-state.ts';
import type { Snapshot } from '../snapshot.ts';

/** What several actions together did to one object. */
export interface ComposedChange {
  readonly path: string;
  /** As it was before the first of them. */
  readonly before: ObjectState;
  /** As the last of them left it; undefined if that was never seen. */
  readonly after: ObjectState | undefined;
  /** True if somebody else changed it between two of them: going back further than that would lose it. */
  readonly isBroken: boolean;
  /** The same of its times alone. */
  readonly isTimeBroken: boolean;
}

/**
 * The change that taking back some actions, the newest first, comes to. Pure.
 *
 * @param oldestFirst of one folder
 */
export function compose(oldestFirst: readonly Snapshot[]): readonly ComposedChange[] {
  const composed = new Map<string, ComposedChange>();
  for (const { changes } of oldestFirst) {
    for (const { path, before, after } of changes) {
      const earlier = composed.get(path);
      composed.set(path, {
        path,
        before: earlier?.before ?? before,
        after,
        isBroken: (earlier?.isBroken ?? false) || isGap(earlier, before),
        isTimeBroken: (earlier?.isTimeBroken ?? false) || isTimeGap(earlier, before),
      });
    }
  }
  return [...composed.values()];
}

function isGap(earlier: ComposedChange | undefined, next: ObjectState): boolean {
  if (earlier === undefined) return false;
  return earlier.after === undefined || !sameContent(earlier.after, next);
}

function isTimeGap(earlier: ComposedChange | undefined, next: ObjectState): boolean {
  return earlier !== undefined && (earlier.after === undefined || !sameTime(earlier.after, next));
}
