import { mkdirSync, writeFileSync } from 'node:fs';
import type { RecordedRequest } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { ofType, settledOf } from './support/event-lines.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

/** An evaluator that follows its instructions: the canary is in them, and nowhere else. */
const answer = (decision: string) => (request: RecordedRequest) => ({
  text: JSON.stringify({
    nonce: /nonce\\*":\\*"([\da-f]{32})/.exec(request.bodyText)?.[1],
    decision,
    confidence: 0.9,
    reason: 'it is what was asked for',
  }),
});

/** A rule that leaves writes to the evaluator, and a model that judges. */
async function judgedBy(script: (request: RecordedRequest) => { readonly text: string }) {
  const judge = await stage().serve(script);
  mkdirSync(stage().layout.policies, { recursive: true });
  const rule = '{ name: ask-the-evaluator, match: { tool: write }, by: evaluator, reason: to be judged }';
  const rules = `version: 1\nname: open\nrules: { deny: [], verify: [${rule}], allow: [] }\n`;
  writeFileSync(`${stage().layout.policies}/open.yaml`, rules);
  const write = { name: 'write', args: { path: 'a.txt', content: 'text' } };
  await stage().model([{ toolCalls: [write] }, { text: 'done' }], {
    models: `title: { provider: offline, model: rules }, shield: { provider: openai-compatible, model: judge, baseUrl: '${judge.url}/v1' },`,
    config: 'policy: open',
  });
  const { events } = await stage().cli(['run', '--json', '--approve', 'deny', 'write a.txt']);
  return { events, judge, verdict: ofType(events, 'shield_verdict')[0] };
}

describe('a model that judges what rules leave open', () => {
  it('allows an action, and receives what the person asked for [H3]', async () => {
    const { events, judge, verdict } = await judgedBy(answer('allow'));
    expect(verdict).toMatchObject({ decision: 'allow', tier: 2, rule: 'evaluator' });
    expect(stage().read('a.txt')).toBe('text');
    expect(judge.requests[0]?.bodyText).toContain('write a.txt');
    expect(settledOf(events).outcome).toBe('completed');
    const usage = await stage().cli(['usage', '--json']);
    expect(JSON.parse(usage.stdout)).toMatchObject({ total: { calls: 3 } });
  });

  it('blocks what it says no to [H3]', async () => {
    const { verdict, events } = await judgedBy(answer('block'));
    expect(verdict).toMatchObject({ decision: 'block', tier: 2, reason: 'it is what was asked for' });
    expect(ofType(events, 'tool_output')[0]?.isError).toBe(true);
    expect(() => stage().read('a.txt')).toThrow();
  });

  it('blocks after an answer that is no verdict [H3] [FT25]', async () => {
    const { verdict } = await judgedBy(() => ({ text: 'ALLOW' }));
    expect(verdict).toMatchObject({ decision: 'block', tier: 2, rule: 'evaluator-invalid' });
    expect(() => stage().read('a.txt')).toThrow();
  });
});
