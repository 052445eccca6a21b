import { changed, effectsOf, observed } from '@bulkhead/home/testing';
import type { ToolHost } from '@bulkhead/protocol';
import { createRedaction } from '@bulkhead/shield';
import { describe, expect, it } from 'vitest';
import { NO } from '../testing/answers.ts';
import { approvalStage } from '../testing/approval-stage.ts';
import { allow, pipelineStage } from '../testing/pipeline-stage.ts';

const SECRET = 'correct-horse-battery-staple-77';
const redaction = createRedaction([SECRET]);

function stage(verdict: Parameters<typeof pipelineStage>[1], host?: ToolHost) {
  const { service, remembered } = approvalStage();
  const parts = { approvals: service, redaction, ...(host === undefined ? {} : { hostOf: () => host }) };
  const test = pipelineStage(parts, verdict);
  const asked = async () => {
    await expect.poll(() => service.open.length, { interval: 1 }).toBe(1);
    const [open] = service.open;
    if (open === undefined) throw new Error('nobody was asked');
    return open;
  };
  const answer = (open: Awaited<ReturnType<typeof asked>>, say = NO) =>
    service.decide({ approval: open.id, session: open.sessionId, hash: open.hash }, say);
  return { ...test, service, remembered, asked, answer };
}

/** Everything that a client sees of a question: list entry, event and full text. */
function toldOf(test: ReturnType<typeof stage>, open: Awaited<ReturnType<typeof test.asked>>): string {
  const announced = test.events.filter(({ type }) => type === 'approval_requested');
  expect(announced.length).toBeGreaterThan(0);
  // The engine's own key for the action; clients do not see it.
  const { grant: _own, ...told } = open;
  return JSON.stringify([told, announced, open.full()]);
}

describe('a question', () => {
  it('about what a command did hides secrets in names, findings and the command itself [A7] [FT57]', async () => {
    const effects = effectsOf([
      observed(`.vscode/${SECRET}.json`),
      observed('.vscode/tasks.json', changed),
      observed(`notes-${SECRET}.txt`),
    ]);
    const settled: unknown[] = [];
    const host: ToolHost = {
      execute: async (_call, _update, _signal, settle) => {
        settled.push(await settle?.(effects));
        return { text: 'ran', isError: false };
      },
      plan: async () => ({ text: '', isError: false, changes: [] }),
      inspect: async () => [],
    };
    const test = stage(allow, host);
    const running = test.run(JSON.stringify({ path: `a-${SECRET}` }), 'ask');
    const open = await test.asked();
    const told = toldOf(test, open);
    expect(told).toContain('Keep its changes?');
    expect(told).toContain('[redacted:');
    expect(told).not.toContain(SECRET);
    test.answer(open);
    await running;
    expect(settled).toMatchObject([{ commit: false }]);
  });

  it('offers no rule that a secret would stand in, and a rule without one as it is written [A7] [A6]', async () => {
    const escalate = { ...allow, decision: 'escalate', rule: 'ask-first', reason: `for ${SECRET}` } as const;
    const secret = stage(escalate);
    const first = secret.run(JSON.stringify({ path: `a-${SECRET}` }), 'ask');
    const open = await secret.asked();
    expect(open.scopes).toEqual(['once', 'session']);
    expect(open.rule).toBeUndefined();
    expect(toldOf(secret, open)).not.toContain(SECRET);
    secret.answer(open);
    await first;
    expect(secret.remembered).toEqual([]);

    const plain = stage(escalate);
    const second = plain.run('{"path":"a"}', 'ask');
    const other = await plain.asked();
    expect(other.scopes).toContain('always');
    expect(JSON.stringify(other.rule)).toContain('/project/a');
    expect(toldOf(plain, other)).not.toContain(SECRET);
    plain.answer(other);
    await second;
  });
});
