import { describe, expect, it } from 'vitest';
import type { KeptAnswer } from './caller-book.ts';
import { checkKey, type KeyedAnswer, KeyedAnswers } from './keyed-answers.ts';

const head = (id: string) => ({ id, created: 1, model: 'm' });
const place = { sessionId: 's', messageId: 'm' };
const request = { caller: 'a', key: 'k', fingerprint: 'f' };

function stage() {
  const kept = new Map<string, KeptAnswer>();
  const answers = new KeyedAnswers({
    answerOf: (caller, key) => kept.get(`${caller} ${key}`),
    keepAnswer: (caller, key, answer) => void kept.set(`${caller} ${key}`, answer),
  });
  return { kept, answers };
}

describe('KeyedAnswers', () => {
  it('starts the requests of one key one after the other: all but the first know its answer [I4]', async () => {
    const { answers } = stage();
    const order: string[] = [];
    const start = (name: string) => async (answer: KeyedAnswer) => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (answer.known === undefined) answer.keep(place);
      order.push(`${name} begun`);
      return [answer.head.id, answer.known] as const;
    };
    const all = await Promise.all(['1', '2', '3'].map((id) => answers.start(request, head(id), start(id))));
    expect(all).toEqual([
      ['1', undefined],
      ['1', place],
      ['1', place],
    ]);
    expect(order).toEqual(['1 begins', '1 begun', '2 begins', '2 begun', '3 begins', '3 begun']);
    const other = await answers.start({ ...request, caller: 'b' }, head('4'), start('4'));
    expect(other).toEqual(['4', undefined]);
  });

  it('lets the next one try where a start failed before anything was kept', async () => {
    const { answers } = stage();
    const failing = answers.start(request, head('1'), () => Promise.reject(new Error('not now')));
    const next = answers.start(request, head('2'), async ({ head: own, known }) => [own.id, known]);
    await expect(failing).rejects.toThrow('not now');
    expect(await next).toEqual(['2', undefined]);
  });

  it('keeps where an answer ended with calls, and refuses the key for another request [I4]', async () => {
    const { answers } = stage();
    await answers.start(request, head('1'), async (answer) => {
      answer.keep(place);
      answer.end(7);
    });
    expect(await answers.start(request, head('2'), async ({ known }) => known)).toEqual({
      ...place,
      endSeq: 7,
    });
    const other = answers.start({ ...request, fingerprint: 'g' }, head('3'), async () => 'run');
    await expect(other).rejects.toMatchObject({
      details: { status: 422, apiCode: 'idempotency_key_reused', param: 'idempotency-key' },
    });
  });

  it.each(['', ' ', 'a b', 'ä', 'x'.repeat(256), '\u0001'])('takes no key %j', (key) => {
    expect(() => checkKey(key)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it('takes a key as programs make them, and none', () => {
    expect(checkKey(undefined)).toBeUndefined();
    expect(checkKey('stainless-node-retry-3f1f6f52-3b0e')).toBe('stainless-node-retry-3f1f6f52-3b0e');
  });
});
