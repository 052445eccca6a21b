import type { Verdict } from '@bulkhead/protocol';
import { expect, it } from 'vitest';
import { parseEvalCase } from './eval-case.ts';
import { judgeCase } from './judge-case.ts';

const VERDICT: Verdict = { decision: 'block', tier: 1, rule: 'r', reason: 'why', confidence: 1 };

function clock(): () => number {
  let time = 0;
  return () => {
    time += 0.25;
    return time;
  };
}

it('judges a single action once', async () => {
  const subject = parseEvalCase('{"id":"a","tool":"bash","args":{}}', 'f:1');
  const line = await judgeCase(subject, { judge: async () => VERDICT, observe: () => {} }, clock());
  expect(line).toEqual({ id: 'a', decision: 'block', tier: 1, rule: 'r', reason: 'why', ms: 0.25 });
});

it('judges every step of a trace before its result is read, and none after one is blocked is left out', async () => {
  const steps = [
    { tool: 'one', args: {}, result: 'first' },
    { tool: 'two', args: {}, result: 'second' },
    { tool: 'three', args: {} },
  ];
  const seen: string[] = [];
  const judge = {
    judge: async ({ tool }: { tool: string }) => {
      seen.push(`judge ${tool}`);
      return VERDICT;
    },
    observe: ({ tool }: { tool: string }, result: string) => {
      seen.push(`read ${tool} ${result}`);
    },
  };
  const line = await judgeCase(parseEvalCase(JSON.stringify({ id: 'a', steps }), 'f:1'), judge, clock());
  expect(seen).toEqual(['judge one', 'read one first', 'judge two', 'read two second', 'judge three']);
  expect(line).toMatchObject({ id: 'a', ms: 0.75, steps: [{ decision: 'block' }, {}, {}] });
});
