import { systemTimers, type Timers } from '@bulkhead/protocol';
import type { AnsweredRule } from '../approvals/answered-rule.ts';
import { ApprovalDesk, type ApprovalDeskParts, type ApprovalQuestion } from '../approvals/approval-desk.ts';

/** Timers that fire when a test says so. */
export class HandTimers implements Timers {
  readonly #waiting = new Set<{ readonly ms: number; run(): void }>();

  after(ms: number, run: () => void): Disposable {
    const timer = { ms, run };
    this.#waiting.add(timer);
    return { [Symbol.dispose]: () => this.#waiting.delete(timer) };
  }

  /** Fires those that wait for at most `ms`. */
  fire(ms: number): void {
    for (const timer of [...this.#waiting].filter((each) => each.ms <= ms)) {
      this.#waiting.delete(timer);
      timer.run();
    }
  }
}

/** A desk with clocks and timers that a test can set. */
export function deskStage(parts: Partial<ApprovalDeskParts> = {}) {
  const time = { wall: 1_000_000, monotonic: 0, asleep: 0 };
  const remembered: AnsweredRule[] = [];
  let next = 0;
  const desk = new ApprovalDesk({
    timers: systemTimers,
    clock: { now: () => time.wall, monotonic: () => time.monotonic },
    machine: { sinceBoot: () => time.monotonic + time.asleep },
    ids: () => {
      next += 1;
      return `approval-${next}`;
    },
    timeoutMs: 300_000,
    mayAnswer: ({ channel }) => channel === 'client',
    remember: (rule) => remembered.push(rule),
    ...parts,
  });
  return { desk, time, remembered };
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
