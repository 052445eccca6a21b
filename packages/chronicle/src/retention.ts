import { Use } from './answer-use.ts';
import type { SnapshotHeader } from './snapshot.ts';

export const DAY_MS = 86_400_000;

/** How long snapshots are kept. */
export interface Retention {
  /** Most entries of a session: an action each, or ten small ones of an answer. */
  readonly snapshots: number;
  readonly days: number;
  /** Most disk space of all contents, in bytes; large losses have as much for themselves. */
  readonly maxBytes: number;
}

/** An answer that lost so many contents is a large loss: no small one takes its place. */
const LARGE_LOSS = 10;
/** Small actions of an answer that count as one entry. */
const SMALL_AS_ONE = 10;
/** Objects that a small action changes at most. */
const SMALL_CHANGES = 5;
/** Entries of all sessions together, as a multiple of those of one. */
const SESSIONS = 10;

/** A snapshot's owner and contents. */
type Kept = Pick<SnapshotHeader, 'id' | 'run' | 'session' | 'state' | 'confirmed' | 'lost'> & {
  readonly hashes: readonly string[];
  readonly changed: number;
};

interface Answer {
  readonly session: string;
  readonly newest: number;
  readonly isOpen: boolean;
  readonly isLarge: boolean;
  /** Entries that it counts as. */
  readonly entries: number;
  readonly snapshots: readonly Kept[];
  readonly hashes: ReadonlySet<string>;
}

/**
 * Returns the snapshots to delete, whole answers at a time: undoing half an answer would create a state
 * that never existed. Age ends any but those with a running action. A limit of number or bytes takes
 * small answers only, of the session that uses most, its oldest first, and never the newest answer of
 * all; large losses go when they alone are over a limit. So neither many small actions nor another
 * session use up what a large loss needs.
 *
 * @param newestFirst all snapshots
 * @param bytesOf disk space of a content; a shared one counts once for each size
 * @param now confirmed time, in milliseconds
 */
export function expired(
  newestFirst: readonly Kept[],
  { snapshots, days, maxBytes }: Retention,
  bytesOf: (hash: string) => number,
  now: number,
): readonly string[] {
  const answers = answersOf(newestFirst);
  const isOld = ({ newest, isOpen }: Answer): boolean => !isOpen && now - newest > days * DAY_MS;
  const young = answers.filter((answer) => !isOld(answer));
  const limits = { entries: snapshots, all: snapshots * SESSIONS, bytes: maxBytes };
  const mayGo = (answer: Answer): boolean => !answer.isOpen && answer !== answers[0];
  const kept = new Set(
    [true, false].flatMap((isLarge) =>
      within(
        young.filter((answer) => answer.isLarge === isLarge),
        limits,
        mayGo,
        bytesOf,
      ),
    ),
  );
  return answers
    .filter((answer) => !kept.has(answer))
    .flatMap((answer) => answer.snapshots.map(({ id }) => id));
}

interface Limits {
  /** Of a session. */
  readonly entries: number;
  /** Of all sessions together. */
  readonly all: number;
  readonly bytes: number;
}

/** The answers that stay. @param answers newest first */
function within(
  answers: readonly Answer[],
  limits: Limits,
  mayGo: (answer: Answer) => boolean,
  bytesOf: (hash: string) => number,
): readonly Answer[] {
  const all = new Use(answers, mayGo, bytesOf);
  const sessions = [...Map.groupBy(answers, ({ session }) => session).values()].map(
    (own) => new Use(own, mayGo, bytesOf),
  );
  const gone = new Set<Answer>();
  const drop = (use: Use<Answer>): void => {
    const answer = use.dropOldest();
    if (answer === undefined) return;
    gone.add(answer);
    all.drop(answer);
  };
  const most = (measure: (use: Use<Answer>) => number): Use<Answer> | undefined =>
    sessions.filter((use) => use.canDrop).sort((a, b) => measure(b) - measure(a))[0];
  const shrink = (isOver: () => boolean, measure: (use: Use<Answer>) => number): void => {
    for (let use = most(measure); isOver() && use !== undefined; use = most(measure)) drop(use);
  };
  for (const use of sessions) while (use.entries > limits.entries && use.canDrop) drop(use);
  shrink(
    () => all.entries > limits.all,
    ({ entries }) => entries,
  );
  shrink(
    () => all.bytes > limits.bytes,
    ({ bytes }) => bytes,
  );
  return answers.filter((answer) => !gone.has(answer));
}

/**
 * Confirmed time of a snapshot. One from an engine without confirmed time counts as taken at the
 * first reading: it is at least that old.
 */
export function takenAt({ confirmed = 0 }: Pick<SnapshotHeader, 'confirmed'>): number {
  return confirmed;
}

/** A rollback is a separate answer. */
function answersOf(newestFirst: readonly Kept[]): readonly Answer[] {
  const groups = Map.groupBy(newestFirst, ({ id, run }) => (run === '' ? `rollback ${id}` : `run ${run}`));
  return [...groups.values()].map((snapshots) => {
    const small = snapshots.filter(({ lost = 0, changed }) => lost === 0 && changed <= SMALL_CHANGES).length;
    return {
      session: snapshots[0]?.session ?? '',
      newest: Math.max(...snapshots.map(takenAt)),
      isOpen: snapshots.some(({ state }) => state === 'open'),
      isLarge: snapshots.reduce((sum, { lost = 0 }) => sum + lost, 0) >= LARGE_LOSS,
      entries: snapshots.length - small + Math.ceil(small / SMALL_AS_ONE),
      snapshots,
      hashes: new Set(snapshots.flatMap(({ hashes }) => hashes)),
    };
  });
}
