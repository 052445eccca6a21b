import { type ObjectState, sameContent, sameState, sameTime } from '../object-state.ts';
import type { ComposedChange } from './compose.ts';

/** One object to restore. */
export interface RestoreStep {
  readonly path: string;
  /** Its current state: only an object in this state is touched. */
  readonly from: ObjectState;
  readonly to: ObjectState;
}

/** An object that changed after the action, or can't be restored. */
export interface RollbackConflict {
  readonly path: string;
  /** The rest of a sentence that begins with the path. */
  readonly reason: string;
}

export interface RollbackPlan {
  readonly steps: readonly RestoreStep[];
  readonly conflicts: readonly RollbackConflict[];
}

/** The current state at the paths, and the names in each folder to remove. */
export interface Present {
  stateOf(path: string): ObjectState;
  entriesOf(path: string): readonly string[];
}

/**
 * Plans the steps of a rollback, and finds conflicts. Pure; with a conflict, nothing is touched.
 */
export function planRollback(changes: readonly ComposedChange[], present: Present): RollbackPlan {
  const steps: RestoreStep[] = [];
  const conflicts: RollbackConflict[] = [];
  for (const change of changes) {
    const planned = planOne(change, present.stateOf(change.path));
    if (planned === undefined) continue;
    if ('reason' in planned) conflicts.push(planned);
    else steps.push(planned);
  }
  const possible = withoutFullFolders(steps, conflicts, present);
  return { ...possible, steps: [...possible.steps, ...keptTimes(possible.steps, present)] };
}

/** Restoring an entry changes its folder's time: a folder with no other change keeps its time. */
function keptTimes(steps: readonly RestoreStep[], present: Present): RestoreStep[] {
  const planned = new Set(steps.map(({ path }) => path));
  const around = new Set(steps.filter(({ path }) => path !== '.').map(({ path }) => folderOf(path)));
  return [...around].flatMap((path) => {
    const now = present.stateOf(path);
    return now.kind === 'folder' && !planned.has(path) ? [{ path, from: now, to: now }] : [];
  });
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
}

function planOne(change: ComposedChange, now: ObjectState): RestoreStep | RollbackConflict | undefined {
  const { path, before, after } = change;
  if (sameContent(now, before)) return timeStep(change, now);
  // The actions did not change it: later changes by others stay.
  if (after !== undefined && sameContent(before, after) && !change.isBroken) return undefined;
  if (after === undefined)
    return { path, reason: 'was not seen when the action was cut off: it may be an edit of yours' };
  if (!sameContent(now, after)) return { path, reason: editText(after, now) };
  if (change.isBroken) return { path, reason: 'was changed by somebody else between two of these actions' };
  if (before.kind === 'other')
    return { path, reason: 'was a pipe, a socket or a device, which can not be put back' };
  return { path, from: now, to: timed(change, now) };
}

/** A folder keeps its time if someone else changed its entries since. */
function timed({ before, after, isTimeBroken }: ComposedChange, now: ObjectState): ObjectState {
  if (before.kind !== 'folder' || now.kind !== 'folder') return before;
  const isTouched = isTimeBroken || after === undefined || !sameTime(now, after);
  return isTouched ? { ...before, time: now.time } : before;
}

/** The content is right; the time is restored if no one has touched it since. */
function timeStep(
  { path, before, after, isTimeBroken }: ComposedChange,
  now: ObjectState,
): RestoreStep | undefined {
  if (isTimeBroken || before.kind === 'other' || sameState(now, before)) return undefined;
  if (after === undefined || !sameTime(now, after)) return undefined;
  return { path, from: now, to: before };
}

function editText(after: ObjectState, now: ObjectState): string {
  if (now.kind === 'missing') return 'was deleted since';
  if (after.kind === 'missing') return 'was made anew since';
  return now.kind === after.kind ? 'was changed since' : `was replaced since: it is a ${now.kind} now`;
}

/** A folder is only removed if all its entries are. */
function withoutFullFolders(
  steps: readonly RestoreStep[],
  conflicts: readonly RollbackConflict[],
  present: Present,
): RollbackPlan {
  const going = new Set(
    steps.filter(({ from, to }) => from.kind !== 'missing' && to.kind === 'missing').map(({ path }) => path),
  );
  const found = [...conflicts];
  // Deepest first: an entry that stays also keeps the folders around it.
  const leaving = steps
    .filter(({ from, to }) => from.kind === 'folder' && to.kind !== 'folder')
    .toSorted((a, b) => b.path.length - a.path.length);
  for (const { path } of leaving) {
    const kept = present.entriesOf(path).filter((name) => !going.has(`${path}/${name}`));
    if (kept.length === 0) continue;
    going.delete(path);
    const [name = ''] = kept;
    found.push({ path, reason: `holds ${kept.length} that came since, ${name} for one` });
  }
  const inTheWay = new Set(found.map(({ path }) => path));
  return { steps: steps.filter(({ path }) => !inTheWay.has(path)), conflicts: found };
}
