import { create } from '@bufbuild/protobuf';
import { estimateInputTokens } from '@bulkhead/models';
import { BulkheadError, type ModelCall } from '@bulkhead/protocol';
import { MessageSchema } from '@bulkhead/protocol/chat';
import type { ModelCallBody } from '@bulkhead/protocol/records';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { memoryTables } from '@bulkhead/sessions/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { userMessage } from '../session/message-view.ts';
import { callBodyOf } from './call-body.ts';
import { createDayTotals } from './day-totals.ts';
import { Ledger, type SpendCaps } from './ledger.ts';

const PRICE = { input: 3, output: 15, cachedInput: 0.3 };
const DAY = 86_400_000;

const call = (text = 'hello', maxOutputTokens = 1_000): ModelCall => ({
  system: 'be kind',
  messages: [userMessage(text)],
  tools: [],
  forbidTools: false,
  maxOutputTokens,
});

const used = (cost: number | null): ModelCallBody => ({
  purpose: 'chat',
  model: 'p/m',
  ok: true,
  estimated: false,
  cost,
  inputTokens: 1,
  outputTokens: 1,
  cachedInputTokens: 0,
  reasoningTokens: 0,
});

function books(caps: Partial<SpendCaps>, start = 100 * DAY) {
  let now = start;
  const store = createMemorySessionStore();
  for (const id of ['s', 't']) store.createSession({ id, workingFolder: '/w', time: now });
  const days = createDayTotals(memoryTables());
  const time = { believed: () => now };
  const ledger = () =>
    new Ledger({ store, time, days, caps: { perDay: undefined, perSession: undefined, ...caps } });
  const record = (session: string, cost: number | null) =>
    store.append(session, [
      { time: now, turn: '', type: 'model_call', visible: false, body: { ...used(cost) } },
    ]);
  return {
    store,
    record,
    days,
    /** The records carry another time than the one that is believed. */
    recordAt: (at: number, session: string, cost: number) =>
      store.append(session, [
        { time: at, turn: '', type: 'model_call', visible: false, body: { ...used(cost) } },
      ]),
    ledger: ledger(),
    reopened: ledger,
    wait: (ms: number) => {
      now += ms;
    },
  };
}

/** Calls that begin, run side by side, and end having cost some share of the most they could. */
class Trial {
  readonly spent = { s: 0, t: 0 };
  readonly #ledger: Ledger;
  readonly #record: (session: 's' | 't', cost: number) => void;
  readonly #open: { session: 's' | 't'; cost: number; settle(cost: number): void }[] = [];

  constructor(ledger: Ledger, record: (session: 's' | 't', cost: number) => void) {
    this.#ledger = ledger;
    this.#record = record;
  }

  /** @param step.wait how many calls may stay open */
  take(step: { readonly session: 's' | 't'; readonly share: number; readonly wait: number }): void {
    try {
      const { settle } = this.#ledger.reserve(step.session, 'p/m', PRICE, call());
      this.#open.push({ session: step.session, cost: callCost(call()) * step.share, settle });
    } catch (error) {
      expect(error).toEqual(limited);
    }
    if (this.#open.length <= step.wait) return;
    const done = this.#open.shift();
    if (done === undefined) return;
    this.#record(done.session, done.cost);
    done.settle(done.cost);
    this.spent[done.session] += done.cost;
  }
}

const limited = expect.objectContaining({ code: 'spend_limit' });

describe('Ledger', () => {
  it('bounds an answer by a share of what the caps leave, so that a large output limit starves no other call [D2]', () => {
    const long = call('hello', 128_000);
    expect(books({}).ledger.outputLimit('s', PRICE, long)).toBe(128_000);
    expect(books({ perDay: 100 }).ledger.outputLimit('s', PRICE, long)).toBe(128_000);
    const { ledger } = books({ perDay: 1 });
    for (const session of ['s', 't', 's', 't']) {
      const most = ledger.outputLimit(session, PRICE, long) ?? 0;
      expect(most).toBeGreaterThan(4_096);
      expect(most).toBeLessThan(17_000);
      expect(() => ledger.reserve(session, 'p/m', PRICE, { ...long, maxOutputTokens: most })).not.toThrow();
    }
    expect(books({ perSession: 0.001 }).ledger.outputLimit('s', PRICE, long)).toBe(4_096);
    expect(books({ perSession: 0.001 }).ledger.outputLimit('s', PRICE, call('hello', 100))).toBe(100);
    expect(books({ perDay: 1 }).ledger.outputLimit('s', undefined, long)).toBe(128_000);
  });

  it('never lets the sum of what is spent and set aside pass a cap, whatever runs at once [D2]', () => {
    const step = fc.record({
      session: fc.constantFrom('s' as const, 't' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      wait: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { ledger, record } = books({ perDay: 0.1, perSession: 0.06 });
        const until = new Trial(ledger, record);
        for (const one of steps) until.take(one);
        expect(until.spent.s + until.spent.t).toBeLessThanOrEqual(0.1);
        expect(Math.max(until.spent.s, until.spent.t)).toBeLessThanOrEqual(0.06);
      }),
    );
  });

  it('knows after a restart what was spent before, by day and by session [D2]', () => {
    const { record, reopened, wait } = books({ perDay: 0.05 });
    record('s', 0.04);
    expect(() => reopened().reserve('t', 'p/m', PRICE, call())).toThrow(limited);
    wait(DAY);
    expect(() => reopened().reserve('t', 'p/m', PRICE, call())).not.toThrow();
  });

  it('begins a new day with nothing spent, while calls of the old one still run [D2]', () => {
    const { ledger, wait, record } = books({ perDay: 0.04 });
    const first = ledger.reserve('s', 'p/m', PRICE, call());
    ledger.reserve('s', 'p/m', PRICE, call());
    expect(() => ledger.reserve('s', 'p/m', PRICE, call())).toThrow(limited);
    wait(DAY);
    ledger.reserve('s', 'p/m', PRICE, call());
    record('s', 0.01);
    first.settle(0.01);
    // Its cost counts for the day it ended on; what was set aside for it the day before does not count off.
    ledger.reserve('s', 'p/m', PRICE, call('x', 100));
    expect(() => ledger.reserve('s', 'p/m', PRICE, call())).toThrow(limited);
  });

  it.each([400 * DAY, -90 * DAY])(
    'holds the cap of a day over restarts, whatever date %d ms away the records carry [D2] [FT83]',
    (jump) => {
      const { ledger, reopened, recordAt, wait } = books({ perDay: 0.04 });
      ledger.reserve('s', 'p/m', PRICE, call()).settle(0.035);
      recordAt(100 * DAY + jump, 's', 0.035);
      expect(() => reopened().reserve('t', 'p/m', PRICE, call())).toThrow(limited);
      wait(DAY);
      expect(() => reopened().reserve('t', 'p/m', PRICE, call())).not.toThrow();
    },
  );

  it('keeps what was set aside for a call whose engine died [D2]', () => {
    const { ledger, reopened } = books({ perDay: 0.04 });
    ledger.reserve('s', 'p/m', PRICE, call());
    ledger.reserve('s', 'p/m', PRICE, call());
    expect(() => reopened().reserve('t', 'p/m', PRICE, call())).toThrow(limited);
  });

  it('refuses a model whose price is not known where there is a cap, and only there [D2]', () => {
    expect(() => books({ perDay: 5 }).ledger.reserve('s', 'p/m', undefined, call())).toThrow(limited);
    expect(() => books({}).ledger.reserve('s', 'p/m', undefined, call())).not.toThrow();
  });
});

function callCost(one: ModelCall): number {
  return (estimateInputTokens(one) * PRICE.input + (one.maxOutputTokens ?? 0) * PRICE.output) / 1_000_000;
}

describe('the record of a call', () => {
  const model = {
    name: 'p/m',
    contextWindow: 1,
    price: PRICE,
    stream: () => {
      throw new BulkheadError('internal', 'not asked');
    },
  };
  const usage = {
    inputTokens: 1_000_000,
    outputTokens: 100_000,
    cachedInputTokens: 400_000,
    reasoningTokens: 7,
  };

  it('costs fresh input, cached input and output each at its price [D2]', () => {
    expect(callBodyOf('chat', model, call(), usage, undefined, 0)).toMatchObject({
      ok: true,
      cost: 0.6 * 3 + 0.4 * 0.3 + 0.1 * 15,
      estimated: false,
    });
  });

  it('has the usage that the provider reported before it failed [D2] [S3]', () => {
    const failure = new BulkheadError('overloaded', 'x', { details: { usage } });
    expect(callBodyOf('chat', model, call(), undefined, failure, 400)).toMatchObject({
      ok: false,
      inputTokens: 1_000_000,
      estimated: false,
    });
  });

  it('has its input and what had come of its answer once that had begun, and nothing if it had not [D2]', () => {
    const failure = new BulkheadError('server_error', 'x');
    const begun = callBodyOf('chat', model, call(), undefined, failure, 400);
    const inputTokens = estimateInputTokens(call());
    expect(begun).toMatchObject({ ok: false, estimated: true, inputTokens, outputTokens: 200 });
    const refused = callBodyOf('chat', model, call(), undefined, failure, undefined);
    expect(refused).toMatchObject({ ok: false, estimated: false, inputTokens: 0, cost: 0 });
  });

  it('has no cost where the price is not known', () => {
    const unknown = { ...model, price: undefined };
    expect(callBodyOf('chat', unknown, call(), usage, undefined, 0).cost).toBeNull();
  });
});

describe('estimateInputTokens', () => {
  it('counts images and tools too, and more for more text', () => {
    const base = estimateInputTokens(call(''));
    expect(estimateInputTokens(call('x'.repeat(300)))).toBe(base + 150);
    const image = create(MessageSchema, {
      role: { case: 'user', value: { images: [{ mediaType: 'image/png', data: new Uint8Array(9) }] } },
    });
    expect(estimateInputTokens({ ...call(''), messages: [image] })).toBeGreaterThan(base + 1_000);
  });
});
