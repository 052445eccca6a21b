import { BulkheadError, describeError, type Timers } from '@bulkhead/protocol';
import type { AuditInput } from '../audit-entry.ts';
import { askWitness, SlowWitness } from './ask-witness.ts';
import { witnessEntry } from './courier.ts';
import { judgeWitness, type KnownLog } from './judge-witness.ts';
import type { Witness } from './witness.ts';

export interface Witnessing {
  readonly witnesses: readonly Witness[];
  /** The reaction to an unreachable, slow or incomplete witness: halt, or record and warn. */
  readonly onProblem: 'halt' | 'warn';
  /** A witness that takes longer is slow. */
  readonly timeoutMs: number;
  /** Called with a sentence about each record of a witness. */
  readonly warn: (message: string) => void;
}

/** A witness at the start of an engine. */
export interface MetWitness {
  readonly witness: Witness;
  /** Size it has seen; undefined if unknown. */
  readonly witnessed: number | undefined;
  /** To be recorded. */
  readonly entry?: AuditInput;
}

/**
 * Asks each witness for its last checkpoint, before anything is written.
 * @throws BulkheadError `audit_failed` if one saw another log, in any case; if it can't be asked,
 * under `halt`
 */
export async function meetWitnesses(
  { witnesses, onProblem, timeoutMs }: Omit<Witnessing, 'warn'>,
  log: KnownLog,
  timers: Timers,
): Promise<readonly MetWitness[]> {
  const meet = async (witness: Witness): Promise<MetWitness> => {
    const { name } = witness;
    let note: string | undefined;
    try {
      note = await askWitness((signal) => witness.latest(signal), { timers, timeoutMs });
    } catch (error) {
      const reason = describeError(error);
      if (onProblem === 'halt') throw witnessFailed(name, reason);
      const problem = error instanceof SlowWitness ? 'slow' : 'unreachable';
      const entry = witnessEntry('WITNESS_LOST', { witness: name, problem, reason, from: 0 });
      return { witness, witnessed: undefined, entry };
    }
    const finding = await judgeWitness(note, log);
    if (finding.kind === 'conflict') throw witnessConflict(name, finding.reason);
    const to = log.last?.size ?? 0;
    if (finding.kind === 'empty') {
      return { witness, witnessed: 0, entry: witnessEntry('WITNESS_BEGUN', { witness: name, from: to }) };
    }
    const { size } = finding;
    if (size >= to) return { witness, witnessed: size };
    return {
      witness,
      witnessed: size,
      entry: witnessEntry('WITNESS_BACK', { witness: name, from: size, to }),
    };
  };
  return await Promise.all(witnesses.map(meet));
}

export function witnessFailed(name: string, reason: string): BulkheadError {
  return new BulkheadError(
    'audit_failed',
    `the witness ${name} of the audit log does not keep up: ${reason}`,
    {
      fix: 'See that it can be reached, or set audit.onWitnessProblem to warn.',
    },
  );
}

export function witnessConflict(name: string, reason: string): BulkheadError {
  return new BulkheadError(
    'audit_failed',
    `the witness ${name} saw another audit log than this one: ${reason}`,
    {
      fix: 'Compare them with `bulkhead audit verify --witness FILE`. If you put back a backup on purpose, begin a new file at the witness.',
    },
  );
}
