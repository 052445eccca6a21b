import { Use } from './answer-use.ts';
import type { SnapshotHeader } from './snapshot.ts';

export const DAY_MS = 86_400_000;

/** How long snapshots are kept. */
export interface Retention {
  /** Most entries of a session: an action each, or ten small ones of an answer. */
  readonly snapshots: number;
  readonly days: number;
  /** Most disk space of all contents, in bytes; losses have as much for themselves. */
  readonly maxBytes: number;
}

/** An answer that lost so many contents is a loss: no small action takes its place. */
const LOSS = 10;
/** More than a person is ever not asked about: a large loss. No other answer takes its place. */
const LARGE_LOSS = 51;
/** Small actions of an answer that count as one entry. */
const SMALL_AS_ONE = 10;
/** Objects that a small action changes at most. */
const SMALL_CHANGES = 5;
/** Entries of all sessions together, as a multiple of those of one. */
const SESSIONS = 10;

/** A snapshot's owner and contents. */
type Kept = Pick<SnapshotHeader, 'id' | 'run' | 'session' | 'state' | 'confirmed' | 'lost' | 'allowed'> & {
  readonly hashes: readonly string[];
  readonly changed: number;
};

interface Answer {
  readonly session: string;
  readonly newest: number;
  readonly isOpen: boolean;
  readonly isLoss: boolean;
  /** A person was asked about the loss, or it is of very many contents. */
  readonly isLarge: boolean;
  /** Entries that it counts as. */
  readonly entries: number;
  readonly snapshots: readonly Kept[];
  readonly hashes: ReadonlySet<string>;
}

/**
 * Returns the snapshots to delete, whole answers at a time: undoing half an answer would create a state
 * that never existed. Age ends any but those with a running action. A limit of number or bytes takes those of
 * the session that uses most, its oldest first, and never the newest answer of all, which is no reason to take
 * those of other sessions. Small answers, and losses, have such limits each. Losses go before large ones: those
 * go when they alone are over a limit. So what no person was asked about never uses up what a large loss needs.
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
  const fit = (some: readonly Answer[], isFixed: (answer: Answer) => boolean): readonly Answer[] =>
    within(
      some,
      limits,
      { mayGo: (answer) => mayGo(answer) && !isFixed(answer), isPinned: (answer) => !mayGo(answer) },
      bytesOf,
    );
  const large = new Set(
    fit(
      young.filter(({ isLarge }) => isLarge),
      () => false,
    ),
  );
  const losses = young.filter((answer) => answer.isLoss && (!answer.isLarge || large.has(answer)));
  const kept = new Set([
    ...fit(losses, ({ isLarge }) => isLarge),
    ...fit(
      young.filter(({ isLoss }) => !isLoss),
      () => false,
    ),
  ]);
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

interface Choice {
  mayGo(answer: Answer): boolean;
  /** Stays in any case: no reason to take an answer of another session. */
  isPinned(answer: Answer): boolean;
}

/** The answers that stay. @param answers newest first */
function within(
  answers: readonly Answer[],
  limits: Limits,
  { mayGo, isPinned }: Choice,
  bytesOf: (hash: string) => number,
): readonly Answer[] {
  const useOf = (some: readonly Answer[]) => new Use(some, mayGo, bytesOf);
  const shared = useOf(answers.filter((answer) => !isPinned(answer)));
  const sessions = [...Map.groupBy(answers, ({ session }) => session)].map(([session, own]) => {
    const seen = (answer: Answer): boolean => answer.session === session || !isPinned(answer);
    return { own: useOf(own), all: own.some(isPinned) ? useOf(answers.filter(seen)) : shared };
  });
  const totals = new Set([shared, ...sessions.map(({ all }) => all)]);
  const gone = new Set<Answer>();
  const drop = (use: Use<Answer>): void => {
    const answer = use.dropOldest();
    if (answer === undefined) return;
    gone.add(answer);
    for (const total of totals) total.drop(answer);
  };
  const shrink = (measure: (use: Use<Answer>) => number, most: number): void => {
    const next = () =>
      sessions
        .filter(({ own, all }) => own.canDrop && measure(all) > most)
        .sort((a, b) => measure(b.own) - measure(a.own))[0]?.own;
    for (let use = next(); use !== undefined; use = next()) drop(use);
  };
  for (const { own } of sessions) while (own.entries > limits.entries && own.canDrop) drop(own);
  shrink(({ entries }) => entries, limits.all);
  shrink(({ bytes }) => bytes, limits.bytes);
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
    const lost = snapshots.reduce((sum, { lost: own = 0 }) => sum + own, 0);
    const isAsked = snapshots.some(({ allowed }) => allowed === true);
    return {
      session: snapshots[0]?.session ?? '',
      newest: Math.max(...snapshots.map(takenAt)),
      isOpen: snapshots.some(({ state }) => state === 'open'),
      isLoss: lost >= LOSS || isAsked,
      isLarge: lost >= LARGE_LOSS || isAsked,
      entries: snapshots.length - small + Math.ceil(small / SMALL_AS_ONE),
      snapshots,
      hashes: new Set(snapshots.flatMap(({ hashes }) => hashes)),
    };
  });
}
