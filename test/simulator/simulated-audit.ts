import type { AuditInput, AuditSink } from '@bulkhead/audit';
import { BulkheadError } from '@bulkhead/protocol';
import type { Life } from './life.ts';

/**
 * The audit log as a machine has it. An unfinished write of a dying engine may have reached the
 * disk or not.
 */
export class SimulatedAudit {
  readonly entries: AuditInput[] = [];
  readonly #fails: () => boolean;
  readonly #survives: () => boolean;

  constructor(parts: { readonly fails: () => boolean; readonly survives: () => boolean }) {
    this.#fails = parts.fails;
    this.#survives = parts.survives;
  }

  /** The log of one engine; after one failure it refuses everything, as the real one does. */
  open(life: Life): AuditSink {
    let broken = false;
    const underWay: (readonly AuditInput[])[] = [];
    life.onDeath(() => this.#settleAtDeath(underWay));
    return {
      append: async (inputs) => {
        life.check();
        const { promise, resolve, reject } = Promise.withResolvers<[]>();
        underWay.push(inputs);
        life.scope.send(`audit ${life.number}`, `audit ${inputs.map(({ step }) => step).join(' ')}`, () => {
          underWay.shift();
          broken ||= this.#fails();
          if (broken) return reject(new BulkheadError('audit_failed', 'the audit log can not be written'));
          this.entries.push(...inputs);
          resolve([]);
        });
        return await promise;
      },
    };
  }

  has(step: string, action: string): boolean {
    return this.entries.some((entry) => entry.step === step && entry.action === action);
  }

  /** A prefix of the unfinished writes: entries are written in order. */
  #settleAtDeath(underWay: readonly (readonly AuditInput[])[]): void {
    for (const inputs of underWay) {
      if (!this.#survives()) return;
      this.entries.push(...inputs);
    }
  }
}
