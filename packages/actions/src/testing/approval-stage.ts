import { systemTimers, type Timers } from '@bulkhead/protocol';
import type { AnsweredRule } from '../approvals/answered-rule.ts';
import {
  type ApprovalQuestion,
  ApprovalService,
  type ApprovalServiceParts,
} from '../approvals/approval-service.ts';
import { isOwnerAtClient } from '../approvals/approver.ts';

/** Timers that a test fires. */
export class HandTimers implements Timers {
  readonly #waiting = new Set<{ readonly ms: number; run(): void }>();

  after(ms: number, run: () => void): Disposable {
    const timer = { ms, run };
    this.#waiting.add(timer);
    return { [Symbol.dispose]: () => this.#waiting.delete(timer) };
  }

  /** Fires the pending timers with a delay of at most `ms`. */
  fire(ms: number): void {
    for (const timer of [...this.#waiting].filter((each) => each.ms <= ms)) {
      this.#waiting.delete(timer);
      timer.run();
    }
  }
}

/** A service with clocks and timers that a test controls. */
export function approvalStage(parts: Partial<ApprovalServiceParts> = {}) {
  const time = { wall: 1_000_000, monotonic: 0, asleep: 0 };
  const remembered: AnsweredRule[] = [];
  let next = 0;
  const service = new ApprovalService({
    timers: systemTimers,
    clock: { now: () => time.wall, monotonic: () => time.monotonic },
    machine: { sinceBoot: () => time.monotonic + time.asleep },
    ids: () => {
      next += 1;
      return `approval-${next}`;
    },
    timeoutMs: 300_000,
    mayAnswer: isOwnerAtClient,
    remember: (rule) => remembered.push(rule),
    ...parts,
  });
  return { service, time, remembered };
}

export function questionAbout(fields: Partial<ApprovalQuestion> = {}): ApprovalQuestion {
  return {
    sessionId: 's',
    action: 'a',
    hash: 'h',
    tool: 'bash',
    shown: 'ls',
    full: () => 'ls',
    reason: 'why',
    repeatable: false,
    scopes: ['once', 'session', 'always'],
    grant: 'g',
    rule: { name: 'always-1', reason: 'r', match: { tool: 'bash' } },
    ...fields,
  };
}
