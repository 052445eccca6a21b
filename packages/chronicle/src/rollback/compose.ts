import { type ObjectState, sameContent, sameTime } from '../object-state.ts';
import type { Snapshot } from '../snapshot.ts';

/** The combined effect of several actions on one object. */
export interface ComposedChange {
  readonly path: string;
  /** Its state before the first action. */
  readonly before: ObjectState;
  /** Its state after the last action; undefined if never observed. */
  readonly after: ObjectState | undefined;
  /** True if someone else changed it between two actions: undoing more would lose that change. */
  readonly isBroken: boolean;
  /** The same, for its times alone. */
  readonly isTimeBroken: boolean;
}

/**
 * Returns the combined change of undoing some actions, newest first. Pure.
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
