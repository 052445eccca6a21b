import { describe, expect, it } from 'vitest';
import { AnswerRelay } from './answer-relay.ts';

function stage() {
  const said: string[] = [];
  const due: (() => void)[] = [];
  const timers = {
    after: (_ms: number, run: () => void) => {
      due.push(run);
      return { [Symbol.dispose]: () => void due.splice(due.indexOf(run), 1) };
    },
  };
  const relay = new AnswerRelay(timers, (kind, text) => said.push(`${kind} ${text}`));
  return { relay, said, due };
}

describe('AnswerRelay', () => {
  it('publishes the first words at once, and what comes within a moment together', () => {
    const { relay, said, due } = stage();
    for (const word of ['a', 'b', 'c']) relay.push('text', word);
    expect(said).toEqual(['text a']);
    due.shift()?.();
    expect(said).toEqual(['text a', 'text bc']);
    due.shift()?.();
    relay.push('text', 'd');
    expect(said).toEqual(['text a', 'text bc', 'text d']);
  });

  it('keeps the order of text and thinking', () => {
    const { relay, said } = stage();
    relay.push('thinking', 'hm');
    relay.push('thinking', ' so');
    relay.push('text', 'yes');
    relay.flush();
    expect(said).toEqual(['thinking hm', 'thinking  so', 'text yes']);
  });

  it('does not hold a burst back until its end', () => {
    const { relay, said } = stage();
    for (let at = 0; at < 10_000; at += 1) relay.push('text', 'x');
    expect(said.map(({ length }) => length)).toEqual([6, 4_101, 4_101]);
    relay.flush();
    expect(said.map((each) => each.slice(5)).join('')).toBe('x'.repeat(10_000));
  });

  it('publishes nothing after it was disposed of', () => {
    const { relay, said, due } = stage();
    relay.push('text', 'a');
    relay.push('text', 'b');
    relay[Symbol.dispose]();
    expect(due).toEqual([]);
    relay.flush();
    expect(said).toEqual(['text a']);
  });
});
