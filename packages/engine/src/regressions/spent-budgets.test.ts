import type { ApprovalOutcome } from '@bulkhead/actions/testing';
import {
  allow,
  approvalStage,
  denialText,
  HandTimers,
  pipelineStage,
  questionAbout,
  StoredBudget,
} from '@bulkhead/actions/testing';
import { createDayTotals } from '@bulkhead/log/ledger/day-totals';
import { sessionStage } from '@bulkhead/runtime/testing';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { memoryTables } from '@bulkhead/sessions/testing';
import { describe, expect, it } from 'vitest';

const never = new AbortController().signal;

/** The messages when a budget is spent; `done` counts effects despite that. */
interface Spent {
  readonly said: string;
  readonly done: number;
}

/** The outcome of a refused approval request. */
const told = ({ decision, by }: ApprovalOutcome): Spent => ({
  said: denialText(by, allow),
  done: decision === 'allow' ? 1 : 0,
});

async function called(argumentsJson: string): Promise<Spent> {
  const test = pipelineStage();
  const { result } = await test.run(argumentsJson, 'allow');
  return { said: result.text, done: test.calls.length };
}

/** Requests `before` approvals within the counted minute, then one more. */
async function asked(before: number, isAnswered: boolean): Promise<Spent> {
  const { service } = approvalStage({ timers: new HandTimers() });
  for (let n = 0; n < before; n += 1) {
    const hash = `h-${n}`;
    const { id, outcome } = service.request(questionAbout({ hash, shown: hash }), 'ask', never);
    if (!isAnswered) continue;
    service.decide(
      { approval: id, session: 's', hash },
      { decision: 'deny', scope: 'once', approver: { channel: 'client', id: 'owner' } },
    );
    await outcome;
  }
  return told(await service.request(questionAbout({ hash: 'last', shown: 'last' }), 'ask', never).outcome);
}

async function run(options: Parameters<typeof sessionStage>[0], rounds: number): Promise<Spent> {
  const stage = sessionStage({
    replies: Array.from({ length: rounds }, (_, n) => ({
      calls: [['write', { path: `f${n}`, content: 'x' }]] as const,
    })),
    ...options,
  });
  const session = stage.create();
  stage.send(session, 'go');
  await stage.settle();
  return { said: JSON.stringify(stage.settled(session)), done: stage.calls.length };
}

const MEGABYTE = 1024 * 1024;

const budgets: Readonly<
  Record<string, { readonly spend: () => Promise<Spent>; readonly says: RegExp; readonly done?: number }>
> = {
  'bytes of arguments': {
    spend: () => called(JSON.stringify({ path: 'a', content: 'x'.repeat(4 * MEGABYTE) })),
    says: /longer than 4194304 characters/,
  },
  'questions within a minute': { spend: () => asked(30, true), says: /no one is asked for a minute/ },
  'questions that wait': { spend: () => asked(16, false), says: /no one is asked for a minute/ },
  'time for an answer': {
    spend: async () => {
      const timers = new HandTimers();
      const { service } = approvalStage({ timers });
      const { outcome } = service.request(questionAbout(), 'ask', never);
      timers.fire(300_000);
      return told(await outcome);
    },
    says: /No one answered in time/,
  },
  'rounds of a run': {
    spend: () => run({ settings: { limits: { maxRounds: 2, maxOutputTokens: 1_000 } } }, 5),
    says: /"outcome":"limit"/,
    done: 2,
  },
  'money of a session': {
    spend: () => run({ caps: { perSession: 0.000_001 } }, 5),
    says: /spend cap of \$0\.000001 is reached/,
  },
  'money of a day': {
    spend: () => run({ caps: { perDay: 0.000_001 } }, 5),
    says: /spend cap of \$0\.000001 is reached/,
  },
  'calls of the evaluator': {
    spend: async () => {
      const clock = { now: () => 1_000, monotonic: () => 0 };
      const budget = new StoredBudget({
        store: createMemorySessionStore(),
        clock,
        machine: { sinceBoot: () => 0 },
        time: { believed: () => 1_000 },
        days: createDayTotals(memoryTables()),
        perMinute: 1,
        perDay: 9,
      });
      budget.take();
      const place = budget.take();
      return { said: place.granted ? '' : place.reason, done: place.granted ? 1 : 0 };
    },
    says: /1 actions within a minute, all it may/,
  },
};

describe('a budget that is spent', () => {
  it.each(Object.entries(budgets))(
    'denies, and says so: %s [FR11]',
    async (_name, { spend, says, done = 0 }) => {
      const spent = await spend();
      expect(spent.said).toMatch(says);
      expect(spent.done).toBe(done);
    },
  );
});
