import type { Box } from '@bulkhead/sandbox';
import type { Outcome } from './outcome.ts';

export type BoxKind = Box['kind'];
export const boxKinds: readonly BoxKind[] = ['agent', 'worker', 'shell'];

/** The kind of attacker: a native program, JavaScript in the real Node, or shell lines. */
export type Arm = 'native' | 'node' | 'bash';

/**
 * The required result of the same attempt outside of all boxes, otherwise it proves nothing: it
 * works, its result differs from the box's, or it is not tried, for the given reason, because it
 * would harm the machine.
 */
export type Control = 'works' | 'differs' | { readonly untried: string };

/** One thing an attacker does. */
export interface Attempt {
  readonly name: string;
  readonly arm: Arm;
  /** Rows of the fault list. */
  readonly ids: readonly string[];
  /** The boxes in which it is tried, with the required outcomes. */
  readonly expected: Readonly<Partial<Record<BoxKind, readonly Outcome[]>>>;
  readonly control: Control;
  /** A known weakness of a box: its consequence. */
  readonly known?: Readonly<Partial<Record<BoxKind, string>>>;
  /** The same, only for agents and workers without name spaces. */
  readonly knownBare?: Readonly<Partial<Record<BoxKind, string>>>;
}

/**
 * - `held`: refused as expected, and the control shows that it works outside
 * - `known`: succeeded, as documented
 * - `unproven`: refused, but the control failed too
 * - `failed`: succeeded, or was refused by another wall than expected
 */
export type Verdict = 'held' | 'known' | 'unproven' | 'failed';

/** The result of one attempt in one box. */
export interface Judged {
  readonly attempt: Attempt;
  readonly box: BoxKind;
  readonly outcome: Outcome;
  readonly detail: string;
  readonly control: Outcome;
  /** Canaries that it read. */
  readonly canaries: number;
  readonly verdict: Verdict;
}

/** @param inside and outside of all boxes; `canaries` are those found inside */
export function judge(
  attempt: Attempt,
  box: BoxKind,
  inside: { readonly outcome: Outcome; readonly detail: string; readonly canaries: number },
  outside: Outcome,
  nameSpaces: boolean,
): Judged {
  const expected = attempt.expected[box] ?? [];
  const { outcome, detail, canaries } = inside;
  const holds = canaries === 0 && expected.includes(outcome);
  // A kernel without 32-bit programs ends each that tries to be one, in a box or not: nothing to hold.
  const lacks = canaries === 0 && expected.includes('SIGSYS') && outcome === 'SIGSEGV' && outside === outcome;
  const verdict =
    lacks || (holds && proves(attempt, expected, outside))
      ? 'held'
      : holds
        ? 'unproven'
        : knownGap(attempt, box, nameSpaces) !== undefined
          ? 'known'
          : 'failed';
  return { attempt, box, outcome, detail, control: outside, canaries, verdict };
}

/** The consequence of this box's weakness; undefined if it must hold. */
export function knownGap(attempt: Attempt, box: BoxKind, nameSpaces: boolean): string | undefined {
  return attempt.known?.[box] ?? (nameSpaces ? undefined : attempt.knownBare?.[box]);
}

function proves({ control }: Attempt, expected: readonly Outcome[], outside: Outcome): boolean {
  if (typeof control === 'object') return true;
  return control === 'works' ? outside === 'done' : !expected.includes(outside);
}
