import type { Box } from '@bulkhead/sandbox';
import type { Outcome } from './outcome.ts';

export type BoxKind = Box['kind'];
export const boxKinds: readonly BoxKind[] = ['agent', 'worker', 'shell'];

/** What attacks: a native program, JavaScript in the real Node, or shell lines. */
export type Arm = 'native' | 'node' | 'bash';

/**
 * What the same attempt must do outside of all boxes, or it proves nothing: work, come to anything but what the box
 * answers, or, where trying it would harm the machine, nothing for the reason given.
 */
export type Control = 'works' | 'differs' | { readonly untried: string };

/** One thing an attacker does. */
export interface Attempt {
  readonly name: string;
  readonly arm: Arm;
  /** Rows of the fault list. */
  readonly ids: readonly string[];
  /** In which boxes it is tried, and the outcomes that the box must have for it. */
  readonly expected: Readonly<Partial<Record<BoxKind, readonly Outcome[]>>>;
  readonly control: Control;
  /** Where a box does not hold, and that is known: what it means. */
  readonly known?: Readonly<Partial<Record<BoxKind, string>>>;
  /** Likewise, of agents and workers without name spaces only. */
  readonly knownBare?: Readonly<Partial<Record<BoxKind, string>>>;
}

/**
 * - `held`: refused as expected, and the control shows that it works outside
 * - `known`: got through, as the documentation says
 * - `unproven`: refused, but the control was no better off
 * - `failed`: got through, or was refused by another wall than expected
 */
export type Verdict = 'held' | 'known' | 'unproven' | 'failed';

/** How one attempt went in one box. */
export interface Judged {
  readonly attempt: Attempt;
  readonly box: BoxKind;
  readonly outcome: Outcome;
  readonly detail: string;
  readonly control: Outcome;
  /** Canaries in what it read. */
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
  const verdict = holds
    ? proves(attempt, expected, outside)
      ? 'held'
      : 'unproven'
    : knownGap(attempt, box, nameSpaces) !== undefined
      ? 'known'
      : 'failed';
  return { attempt, box, outcome, detail, control: outside, canaries, verdict };
}

/** What it means that this box does not hold; undefined: it must hold. */
export function knownGap(attempt: Attempt, box: BoxKind, nameSpaces: boolean): string | undefined {
  return attempt.known?.[box] ?? (nameSpaces ? undefined : attempt.knownBare?.[box]);
}

function proves({ control }: Attempt, expected: readonly Outcome[], outside: Outcome): boolean {
  if (typeof control === 'object') return true;
  return control === 'works' ? outside === 'done' : !expected.includes(outside);
}
