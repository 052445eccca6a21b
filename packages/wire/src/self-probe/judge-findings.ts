import { BulkheadError } from '@bulkhead/protocol';
import { DID, type ProbeFindings } from './attack-own-box.ts';
import { attempts, attemptsFor } from './attempts.ts';

export interface ProbedBox {
  /** `agent`, `worker`. */
  readonly name: string;
  /** In this box only granted objects exist. */
  readonly nameSpaces: boolean;
  /** The target folder lies in the box's grants. */
  readonly folderGranted: boolean;
  /** Slow attempts were also requested. */
  readonly thorough: boolean;
}

/**
 * Refuses a box that let any attempt through. A missing attempt counts as one that got through.
 * @throws BulkheadError `sandbox_unavailable` naming the attempts
 */
export function judgeFindings(findings: ProbeFindings, box: ProbedBox): void {
  const { name, nameSpaces } = box;
  const leaks = attemptsFor(box).flatMap((attempt) => {
    const found = findings[attempt.name] ?? 'not tried';
    const refused = [...attempt.refusals, ...(nameSpaces ? (attempt.missing ?? []) : [])];
    return refused.includes(found) ? [] : [`${attempt.name}: ${found}`];
  });
  if (leaks.length === 0) return;
  throw new BulkheadError(
    'sandbox_unavailable',
    `the box of the ${name} leaks: from inside it, ${leaks.join(', ')}`,
    { fix: 'Run `bulkhead doctor`, which tries each wall alone, and update the kernel.', details: { leaks } },
  );
}

/**
 * Requires that all attempts succeed without a box: one that fails there would prove nothing
 * inside.
 * @throws BulkheadError `sandbox_unavailable` naming the attempts
 */
export function judgeControl(findings: ProbeFindings, name: string): void {
  const useless = attempts
    .filter((attempt) => findings[attempt.name] !== DID)
    .map((attempt) => `${attempt.name}: ${findings[attempt.name] ?? 'not tried'}`);
  if (useless.length === 0) return;
  throw new BulkheadError(
    'sandbox_unavailable',
    `the probes of the ${name} prove nothing here: with no box around them, ${useless.join(', ')}`,
    {
      fix: 'Bulkhead itself must be able to use the loopback, Unix sockets and /proc: look at what confines it.',
      details: { useless },
    },
  );
}
