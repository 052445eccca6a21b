import type { ApprovalMode } from '@bulkhead/protocol';
import { BulkheadError, type ToolHost, type Verdict } from '@bulkhead/protocol';
import { describe, expect, it, vi } from 'vitest';
import type { TokenMint } from '../approvals/approval-tokens.ts';
import { approvalStage } from '../testing/approval-stage.ts';
import { noLabels, noSnapshots } from '../testing/no-stages.ts';
import { allow, CHANGES, pipelineStage } from '../testing/pipeline-stage.ts';
import { testTokens } from '../testing/test-tokens.ts';
import type { PipelineParts } from './pipeline-parts.ts';

/** A fault of a part: an error, no answer ever, or an invalid answer. */
type Ill = <Value>() => Promise<Value>;

/** Longer than any limit of the product. */
const LONG_MS = 86_400_000;

const never = <Value>(): Promise<Value> => new Promise(() => {});
const failing = <Value>(): Promise<Value> => Promise.reject(new Error('it broke'));
/** Possible answers of another version or a bug: values outside the types. */
const garbage: readonly string[] = [
  'null',
  '{}',
  '[]',
  '""',
  '"allow"',
  'true',
  '{"decision":"yes"}',
  '{"decision":null}',
];
const saying =
  (json: string): Ill =>
  async () =>
    JSON.parse(json);

const ILLNESSES: readonly (readonly [string, Ill])[] = [
  ['fails', failing],
  ['hangs', never],
  ...garbage.map((json) => [`says ${json}`, saying(json)] as const),
];

/**
 * Runs one action, which healthy parts would allow or refuse, with one faulty part. @returns the
 * executed calls
 */
async function executed(
  parts: Partial<PipelineParts>,
  verdict: Verdict,
  approve: ApprovalMode = 'deny',
): Promise<number> {
  vi.useFakeTimers();
  try {
    const abort = new AbortController();
    const test = pipelineStage({ approvals: approvalStage().service, ...parts }, verdict);
    test.run('{"path":"a"}', approve, 'write', { signal: abort.signal }).catch(() => undefined);
    // A hanging call is cancelled after every time limit.
    await vi.advanceTimersByTimeAsync(LONG_MS);
    abort.abort();
    await vi.advanceTimersByTimeAsync(LONG_MS);
    return test.calls.length;
  } finally {
    vi.useRealTimers();
  }
}

const ask: Verdict = { ...allow, decision: 'escalate' };
const block: Verdict = { ...allow, decision: 'block' };

const tokensThat = (broken: Partial<TokenMint>): TokenMint => {
  const good = testTokens({ now: () => 1_000, monotonic: () => 0 });
  return {
    mint: (claims) => good.mint(claims),
    spend: (token, target) => good.spend(token, target),
    ...broken,
  };
};

/** Every part that must decide or write before an effect. */
const JUDGES: Readonly<Record<string, (ill: Ill) => Partial<PipelineParts>>> = {
  'the shield': (ill) => ({ shield: { judge: () => ill() } }),
  'the audit log': (ill) => ({ audit: { append: () => ill() } }),
  'the snapshot': (ill) => ({ snapshots: { ...noSnapshots, take: () => ill() } }),
};

const answering =
  (json: string) =>
  <Value>(): Value =>
    JSON.parse(json);

/** The same for synchronous parts: they cannot hang, but may fail or return anything. */
const SYNCHRONOUS: Readonly<Record<string, (say: <Value>() => Value) => Partial<PipelineParts>>> = {
  'the flow': (say) => ({ labels: { ...noLabels, decide: say } }),
  'the label of the session': (say) => ({ labels: { ...noLabels, labelOf: say } }),
  'the protected places': (say) => ({ placesOf: say }),
  'the minting of tokens': (say) => ({ tokens: tokensThat({ mint: say }) }),
  'the spending of tokens': (say) => ({ tokens: tokensThat({ spend: say }) }),
  'the table of tools': (say) => ({ tools: { get: say, names: () => [] } }),
};

describe('a part that is ill', () => {
  it.each(Object.entries(JUDGES))('never gives what health refuses: %s [FG9] [A4]', async (_part, ill) => {
    for (const [, illness] of ILLNESSES) {
      for (const verdict of [ask, block]) expect(await executed(ill(illness), verdict)).toBe(0);
    }
  });

  it.each(Object.entries(JUDGES))('never gives what no one allowed: %s [FG9] [A4]', async (_part, ill) => {
    for (const [, illness] of ILLNESSES.slice(0, 2)) expect(await executed(ill(illness), allow)).toBe(0);
  });

  it('that judges nonsense is a block: no answer but `allow` goes on [FG9] [A4]', async () => {
    for (const json of garbage) {
      const parts = { shield: { judge: saying(json) } };
      expect([json, await executed(parts, allow, 'allow')]).toEqual([json, 0]);
    }
  });

  it('whose answer is none is no yes: flow has to say that it has nothing against an action [FG9] [A4]', async () => {
    const answers = [...garbage, '{"says":"object"}', '{"says":"object","verdict":{}}', '{"says":"Allow"}'];
    for (const json of answers) {
      const parts = { labels: { ...noLabels, decide: answering(json) } };
      expect([json, await executed(parts, allow)]).toEqual([json, 0]);
    }
    const saying = { labels: { ...noLabels, decide: answering('{"says":"allow"}') } };
    expect(await executed(saying, allow)).toBe(1);
  });

  it.each(Object.entries(SYNCHRONOUS))('never gives more than health: %s [FG9] [A4]', async (_part, ill) => {
    const fail = (): never => {
      throw new Error('it broke');
    };
    for (const verdict of [ask, block]) expect(await executed(ill(fail), verdict)).toBe(0);
    expect(await executed(ill(fail), allow)).toBe(0);
    for (const json of garbage) {
      for (const verdict of [ask, block])
        expect([json, await executed(ill(answering(json)), verdict)]).toEqual([json, 0]);
    }
  });

  it.each(['the minting of tokens', 'the spending of tokens'])(
    'can not be taken for a good one: %s [FG9] [FR6]',
    async (part) => {
      for (const json of garbage) {
        const parts = SYNCHRONOUS[part]?.(answering(json)) ?? {};
        expect([json, await executed(parts, allow)]).toEqual([json, 0]);
      }
    },
  );

  it('asks no one twice, and does nothing, if the executor fails or hangs [FG9]', async () => {
    for (const [, illness] of ILLNESSES.slice(0, 2)) {
      let begun = 0;
      const host: ToolHost = {
        execute: () => {
          begun += 1;
          return illness();
        },
        plan: async () => ({ text: '', isError: false, changes: CHANGES }),
        inspect: () => illness(),
      };
      await executed({ hostOf: () => host }, allow);
      expect(begun).toBe(1);
      await executed({ hostOf: () => host }, ask);
      await executed({ hostOf: () => host }, block);
      expect(begun).toBe(1);
    }
  });

  it('that can not say what it would do is asked about all the same [FG9]', async () => {
    for (const [, illness] of ILLNESSES.filter(([what]) => what !== 'hangs')) {
      const host: ToolHost = {
        execute: async () => ({ text: 'done', isError: false }),
        plan: () => illness(),
        inspect: async () => [],
      };
      const test = pipelineStage({ hostOf: () => host }, ask);
      const outcome = await test.run('{"path":"a"}', 'deny');
      expect(outcome.result.isError).toBe(true);
      expect(test.calls).toEqual([]);
    }
  });

  it('stops the run where not even a refusal can be recorded [FG9]', async () => {
    const audit = { append: () => Promise.reject(new BulkheadError('audit_failed', 'full')) };
    await expect(pipelineStage({ audit }, block).run('{"path":"a"}')).rejects.toMatchObject({
      code: 'audit_failed',
    });
  });
});
