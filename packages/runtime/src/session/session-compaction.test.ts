import { BulkheadError } from '@bulkhead/protocol';
import { isOf } from '@bulkhead/protocol/records';
import { describe, expect, it } from 'vitest';
import type { CompactionSettings, CompactionWishes, Compactor } from '../run/compactor.ts';
import { sessionStage } from '../testing/session-stage.ts';
import { SessionCompaction } from './session-compaction.ts';

const WINDOWS: Readonly<Record<string, number>> = { 'p/large': 1_000_000, 'p/small': 20_000, '': 100_000 };

/** Sessions whose models have windows of their own; each answer counts as many tokens as are given. */
function stage(
  inputTokens: number,
  settings: Partial<CompactionSettings> = {},
  compact: Compactor['compact'] = async () => ({ summary: 'short', keptFrom: null }),
) {
  const wishes: CompactionWishes[] = [];
  const compactor: Compactor = {
    settings: { enabled: true, at: 0.7, keep: 0.3, ...settings },
    compact: async (session, entries, wish, signal) => {
      wishes.push(wish);
      return await compact(session, entries, wish, signal);
    },
  };
  const reply = { text: 'x'.repeat(400), inputTokens };
  const test = sessionStage({ replies: [reply, reply, reply], compactor });
  const { log } = test;
  const compaction = new SessionCompaction({
    log,
    compactor,
    now: () => 1,
    model: ({ model }) => ({ name: model, contextWindow: WINDOWS[model] ?? 0 }),
  });
  return { ...test, compaction, wishes };
}

async function talk(test: ReturnType<typeof stage>, model: string): Promise<string> {
  const session = test.create();
  test.send(session, 'one', {
    options: { approve: 'deny', maxRounds: 0, dryRun: false, model, baseUrl: '' },
  });
  await test.settle();
  return session;
}

const signal = new AbortController().signal;

describe('whether a conversation is due after a run', () => {
  it('depends on the window of its own model, not of the configured one [K4]', async () => {
    const test = stage(60_000);
    expect(test.compaction.isDue(await talk(test, 'p/small'))).toBe(true);
    expect(test.compaction.isDue(await talk(test, 'p/large'))).toBe(false);
    expect(test.compaction.isDue(await talk(test, ''))).toBe(false);
  });

  it('depends on the shares of that model [K1]', async () => {
    const test = stage(60_000, { models: [{ model: 'p/large', at: 0.05 }] });
    expect(test.compaction.isDue(await talk(test, 'p/large'))).toBe(true);
  });

  it("takes off what the session's last request spent on system part and tools [K6]", async () => {
    // All of it is system part and tools: nothing to be made shorter, however near it is to the window.
    const test = stage(72_000, {}, async () => undefined);
    const session = await talk(test, '');
    expect(test.compaction.isDue(session)).toBe(true);
    const [last] = test.store.records(session, { pos: 0 }).filter(isOf('model_call'));
    if (last === undefined) throw new Error('no model was called');
    expect(last.body.systemTokens).toBeGreaterThan(300);
    const body = { ...last.body, systemTokens: 60_000 };
    test.log.append(session, [{ time: 1, turn: '', visible: false, type: 'model_call', body }]);
    expect(test.compaction.isDue(session)).toBe(false);
  });
});

describe('a compaction that a person asks for', () => {
  it("keeps by the shares of the session's model, and knows what its provider counted [K1] [K4] [K6]", async () => {
    const test = stage(8_000, { models: [{ model: 'p/small', keep: 0.5 }] });
    await test.compaction.run(await talk(test, 'p/small'), '', signal);
    expect(test.wishes[0]).toMatchObject({ keep: 0.5, choice: { model: 'p/small' } });
    expect(test.wishes[0]?.counted).toBeGreaterThan(6_000);
    expect(test.wishes[0]?.counted).toBeLessThan(8_000);
    expect(test.wishes[0]?.budget).toBeLessThan(16_000);
  });

  it('says whether the model received the instructions of the person [K4]', async () => {
    const test = stage(100);
    const session = await talk(test, '');
    expect(await test.compaction.run(session, 'the API', signal)).toMatchObject({ focusUsed: true });
    const byRule = stage(100, {}, async () => ({ summary: 's', keptFrom: null, byRule: true }));
    const other = await talk(byRule, '');
    expect(await byRule.compaction.run(other, 'the API', signal)).toMatchObject({ focusUsed: false });
    expect(await test.compaction.run(await talk(test, ''), ' ', signal)).toMatchObject({ focusUsed: false });
  });

  it('ends with the call that asked for it, and leaves the conversation as it was [K3] [K4]', async () => {
    const begun = Promise.withResolvers<void>();
    const test = stage(100, {}, async (_session, _entries, _wish, ending) => {
      begun.resolve();
      const { promise, reject } = Promise.withResolvers<undefined>();
      ending.addEventListener('abort', () => reject(new BulkheadError('cancelled', 'ended')), { once: true });
      return await promise;
    });
    const session = await talk(test, '');
    const before = test.history(session);
    const asker = new AbortController();
    const work = test.sessions.actor(session).compact('the API', asker.signal);
    await begun.promise;
    asker.abort();
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
    expect(test.history(session)).toEqual(before);
    expect(test.sessions.actor(session).busy).toBe(false);
    expect(test.log.lastState(session)).toBe('idle');
  });

  it('keeps every wish of those that were made during a run', async () => {
    const test = stage(100);
    const session = await talk(test, '');
    test.send(session, 'two');
    await test.settle(0);
    const actor = test.sessions.actor(session);
    for (const wish of ['the API', '', ' the tests ', 'the API']) {
      expect(await actor.compact(wish)).toBe('afterwards');
    }
    await test.settle();
    expect(test.wishes.map(({ instructions }) => instructions)).toEqual(['the API; the tests']);
  });
});
