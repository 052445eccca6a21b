import { describeError, type Timers } from '@bulkhead/protocol';
import type { AuditInput } from '../audit-entry.ts';
import { parseCheckpoint, type SignedCheckpoint } from '../checkpoint/checkpoint.ts';
import { askWitness, SlowWitness } from './ask-witness.ts';
import type { Witness } from './witness.ts';

/** The problem with a witness. */
export type WitnessProblem = 'unreachable' | 'slow' | 'old' | 'conflict';

export interface CourierParts {
  readonly witness: Witness;
  readonly timers: Timers;
  readonly timeoutMs: number;
  /** Size that the witness has seen; undefined if unknown, which is a gap. */
  readonly witnessed: number | undefined;
  /** Puts an entry into the log. */
  readonly record: (entry: AuditInput) => Promise<void>;
  /** Called with each gap when it starts, once it is recorded. */
  readonly onGap: (problem: WitnessProblem, reason: string) => void;
}

/**
 * Delivers checkpoints to one witness, the newest first, one at a time, and checks that it has
 * them. Records the start and end of each gap once, however often a delivery fails in between.
 */
export class Courier {
  readonly #parts: CourierParts;
  #witnessed: number;
  #isGap: boolean;
  #next: SignedCheckpoint | undefined;
  #underWay: Promise<void> | undefined;
  #closing = false;

  constructor(parts: CourierParts) {
    this.#parts = parts;
    this.#witnessed = parts.witnessed ?? 0;
    this.#isGap = parts.witnessed === undefined;
  }

  offer(checkpoint: SignedCheckpoint): void {
    if (this.#closing) return;
    this.#next = checkpoint;
    this.#underWay ??= this.#bring();
  }

  /** Waits for the current delivery, and starts no other. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#underWay;
  }

  /** Never rejects. */
  async #bring(): Promise<void> {
    for (let one = this.#take(); one !== undefined; one = this.#take()) {
      const { checkpoint } = one;
      const problem = await this.#deliver(checkpoint);
      // A log that can't be written reports that to all its writers.
      await (problem === undefined ? this.#delivered(checkpoint) : this.#failed(problem)).catch(() => {});
    }
    this.#underWay = undefined;
  }

  #take(): { readonly checkpoint: SignedCheckpoint } | undefined {
    const checkpoint = this.#next;
    this.#next = undefined;
    return checkpoint && { checkpoint };
  }

  async #deliver(checkpoint: SignedCheckpoint): Promise<[WitnessProblem, string] | undefined> {
    const { witness } = this.#parts;
    try {
      const latest = await askWitness(async (signal) => {
        await witness.deliver(checkpoint.note, signal);
        return await witness.latest(signal);
      }, this.#parts);
      return latest === checkpoint.note ? undefined : misplaced(latest, checkpoint);
    } catch (error) {
      return [error instanceof SlowWitness ? 'slow' : 'unreachable', describeError(error)];
    }
  }

  async #delivered({ size }: SignedCheckpoint): Promise<void> {
    const from = this.#witnessed;
    this.#witnessed = size;
    if (!this.#isGap) return;
    this.#isGap = false;
    await this.#parts.record(
      witnessEntry('WITNESS_BACK', { witness: this.#parts.witness.name, from, to: size }),
    );
  }

  async #failed([problem, reason]: [WitnessProblem, string]): Promise<void> {
    if (this.#isGap && problem !== 'conflict') return;
    this.#isGap = true;
    const { name } = this.#parts.witness;
    try {
      await this.#parts.record(
        witnessEntry('WITNESS_LOST', { witness: name, problem, reason, from: this.#witnessed }),
      );
    } finally {
      this.#parts.onGap(problem, reason);
    }
  }
}

/**
 * @param details `from` and `to`: sizes of the log; between them, or after `from`, no other copy
 * was kept
 */
export function witnessEntry(
  step: 'WITNESS_BEGUN' | 'WITNESS_LOST' | 'WITNESS_BACK',
  details: AuditInput['details'],
): AuditInput {
  return { step, action: '', hash: '', session: '', tool: '', details };
}

function misplaced(latest: string | undefined, given: SignedCheckpoint): [WitnessProblem, string] {
  const seen = latest === undefined ? undefined : parseCheckpoint(latest);
  if (seen !== undefined && seen.size >= given.size) {
    return ['conflict', `it was given a checkpoint of ${given.size} entries and has another of ${seen.size}`];
  }
  return ['old', `it was given a checkpoint of ${given.size} entries and has one of ${seen?.size ?? 'none'}`];
}
