import type { FileChange, Verdict } from '@bulkhead/protocol';
import { createShield, notPresent, type Policy, parsePolicy } from '@bulkhead/shield';
import { describe, expect, it } from 'vitest';
import { NO, YES } from '../testing/answers.ts';
import { approvalStage } from '../testing/approval-stage.ts';
import { noLabels } from '../testing/no-stages.ts';
import { allow, pipelineStage } from '../testing/pipeline-stage.ts';
import type { PipelineParts } from './pipeline-parts.ts';

const escalate: Verdict = {
  ...allow,
  decision: 'escalate',
  rule: 'ask-first',
  reason: 'unusual',
  policy: 'v1',
};

/** A pipeline over a file that may change while a person decides. */
function stage(parts: Partial<PipelineParts> = {}, verdict = escalate) {
  const file = { hash: 'aa' };
  const calls: string[] = [];
  const { service, remembered } = approvalStage();
  const host = {
    execute: async () => {
      calls.push(file.hash);
      return { text: 'done', isError: false };
    },
    plan: async () => {
      const changes: readonly FileChange[] = [{ path: 'a', before: file.hash, after: 'ff' }];
      return { text: `would change a\n-${file.hash}\n+ff`, isError: false, changes };
    },
    inspect: async () => [],
  };
  const test = pipelineStage({ approvals: service, hostOf: () => host, ...parts }, verdict);
  /** Answers the pending question, once there is one. */
  const answer = async (say = YES) => {
    await expect.poll(() => service.open.length, { interval: 1 }).toBe(1);
    const [open] = service.open;
    const { id, sessionId, hash } = open ?? { id: '', sessionId: '', hash: '' };
    service.decide({ approval: id, session: sessionId, hash }, say);
    await expect.poll(() => service.open.some((other) => other.id === id), { interval: 1 }).toBe(false);
    return open;
  };
  return { ...test, file, service, remembered, answer, executed: calls };
}

const asked = (test: ReturnType<typeof stage>) =>
  test.events.filter(({ type }) => type === 'approval_requested');

describe('an action that a person approves', () => {
  it('is shown with its diff, and carried out after an approval [A6]', async () => {
    const test = stage();
    const running = test.run('{"path":"a"}', 'ask');
    const open = await test.answer();
    await expect(running).resolves.toMatchObject({ result: { text: 'done' } });
    expect(open?.shown).toBe('in /project\npath: a\nwould change a\n-aa\n+ff');
    expect(asked(test)).toMatchObject([{ reason: 'unusual', scopes: ['once', 'session', 'always'] }]);
    expect(test.audited.filter(({ step }) => step === 'APPROVED')).toMatchObject([
      { details: { by: 'person', scope: 'once', approver: 'client/owner' } },
    ]);
    expect(test.audited.find(({ step }) => step === 'EVALUATED')).toMatchObject({
      details: { policy: 'v1' },
    });
  });

  it.each<[Verdict['decision'], string]>([
    ['escalate', 'a page of a stranger was read'],
    ['block', 'a secret was read'],
  ])('is not done when what is read meanwhile speaks against it: %s [F3] [A6]', async (decision, reason) => {
    let objects = false;
    const decide: PipelineParts['labels']['decide'] = () =>
      objects ? { says: 'object', verdict: { ...escalate, decision, reason } } : { says: 'allow' };
    const test = stage({ labels: { ...noLabels, decide } });
    const running = test.run('{"path":"a"}', 'ask');
    await expect.poll(() => test.service.open.length, { interval: 1 }).toBe(1);
    objects = true;
    await test.answer();
    const { refused, result } = await running;
    expect({ refused, text: result.text }).toEqual({
      refused: true,
      text: expect.stringContaining(`what was read meanwhile speaks against it: ${reason}`),
    });
    expect(test.executed).toEqual([]);
  });

  it('is not done for a reason whose words are part of the reason shown [F3] [A6]', async () => {
    let later = false;
    const decide: PipelineParts['labels']['decide'] = () => ({
      says: 'object',
      verdict: later
        ? { ...escalate, rule: 'secret', reason: 'a secret was read' }
        : { ...escalate, rule: 'trust', reason: 'a page that says a secret was read' },
    });
    const test = stage({ labels: { ...noLabels, decide } });
    const running = test.run('{"path":"a"}', 'ask');
    await expect.poll(() => test.service.open.length, { interval: 1 }).toBe(1);
    later = true;
    await test.answer();
    expect((await running).refused).toBe(true);
    expect(test.executed).toEqual([]);
  });

  it('is asked about again if the file has changed before the approval [FT43] [FR4]', async () => {
    const test = stage();
    const running = test.run('{"path":"a"}', 'ask');
    await expect.poll(() => test.service.open.length, { interval: 1 }).toBe(1);
    test.file.hash = 'bb';
    const first = await test.answer();
    const second = await test.answer();
    await running;
    expect(first?.shown).toContain('-aa');
    expect(second?.shown).toContain('-bb');
    expect(second?.id).not.toBe(first?.id);
    expect(test.executed).toEqual(['bb']);
  });

  it('is not done if the second answer is no [FT43]', async () => {
    const test = stage();
    const running = test.run('{"path":"a"}', 'ask');
    await expect.poll(() => test.service.open.length, { interval: 1 }).toBe(1);
    test.file.hash = 'bb';
    await test.answer();
    await test.answer(NO);
    await expect(running).resolves.toMatchObject({ refused: true });
    expect(test.executed).toEqual([]);
  });

  it('is refused when the file never stands still [FT43] [FT44]', async () => {
    const test = stage();
    const running = test.run('{"path":"a"}', 'ask');
    for (const hash of ['bb', 'cc', 'dd']) {
      await expect.poll(() => test.service.open.length, { interval: 1 }).toBe(1);
      test.file.hash = hash;
      await test.answer();
    }
    await expect(running).resolves.toMatchObject({ refused: true });
    expect(asked(test)).toHaveLength(3);
    expect(test.executed).toEqual([]);
  });
});

describe('a policy that is swapped while a person decides', () => {
  it('does not come under the action: it was judged by the old one, and says so [FT24]', async () => {
    const policyOf = (list: 'deny' | 'verify', digest: string): Policy => {
      const lists = {
        deny: '[]',
        verify: '[]',
        [list]: `[{ name: ${list}, match: { tool: write }, BY reason: r }]`,
      };
      const by = list === 'verify' ? 'by: human,' : '';
      const text = `version: 1\nname: p\nrules: { deny: ${lists.deny}, verify: ${lists.verify}, allow: [] }`;
      return parsePolicy(text.replace('BY', by), 'p', digest);
    };
    let current = policyOf('verify', 'old');
    const absent = notPresent('none');
    const shield = createShield({ policy: () => current, analysis: absent, evaluator: absent });
    const test = stage({ shield });
    const running = test.run('{"path":"a"}', 'ask');
    await expect.poll(() => test.service.open.length, { interval: 1 }).toBe(1);
    current = policyOf('deny', 'new');
    await test.answer();
    await expect(running).resolves.toMatchObject({ result: { text: 'done' } });
    await expect(test.run('{"path":"a"}', 'ask')).resolves.toMatchObject({ refused: true });
    const judged = test.audited.filter(({ step }) => step === 'EVALUATED');
    expect(judged.map(({ details }) => [details['decision'], details['policy']])).toEqual([
      ['escalate', 'old'],
      ['block', 'new'],
    ]);
  });
});

describe('the possible scope of an approval', () => {
  it('for the session: the same file is not asked about again, another is [A6]', async () => {
    const test = stage();
    const first = test.run('{"path":"a","content":"1"}', 'ask');
    await test.answer({ ...YES, scope: 'session' });
    await first;
    await expect(test.run('{"path":"a","content":"2"}', 'deny')).resolves.toMatchObject({ refused: false });
    await expect(test.run('{"path":"b","content":"2"}', 'deny')).resolves.toMatchObject({ refused: true });
    expect(
      test.audited.filter(({ step }) => step === 'APPROVED').map(({ details }) => details['by']),
    ).toEqual(['person', 'grant']);
  });

  it('is permanent: the rule is shown before it is written, and named in the audit log [A6]', async () => {
    const test = stage();
    const running = test.run('{"path":"a*"}', 'ask');
    await test.answer({ ...YES, scope: 'always' });
    await running;
    const [rule] = test.remembered;
    expect(rule?.match).toEqual({ tool: 'write', path: ['/project/a\\*'], access: 'write' });
    expect(asked(test)).toMatchObject([{ rule: expect.stringContaining(rule?.name ?? 'none') }]);
    expect(test.audited.find(({ step }) => step === 'APPROVED')).toMatchObject({
      details: { scope: 'always', wrote: rule?.name },
    });
  });

  it.each<[string, Partial<PipelineParts>, string]>([
    ['what protection asks about', {}, '{"path":".vscode/tasks.json"}'],
    [
      'what the flow asks about',
      {
        labels: {
          ...noLabels,
          decide: () => ({ says: 'object', verdict: { ...escalate, rule: 'flow' } }),
        },
      },
      '{"path":"a"}',
    ],
  ])('is once, for %s [A6]', async (_what, parts, args) => {
    const test = stage(parts);
    const running = test.run(args, 'ask');
    await test.answer({ ...YES, scope: 'once' });
    await running;
    expect(asked(test)).toMatchObject([{ scopes: ['once'] }]);
    expect(test.events.find(({ type }) => type === 'approval_requested')).not.toHaveProperty('rule');
  });

  it('is empty for a blocked action: it is not asked about [A6] [H5]', async () => {
    const test = stage({}, { ...allow, decision: 'block' });
    await expect(test.run('{"path":"a"}', 'allow')).resolves.toMatchObject({ refused: true });
    expect(asked(test)).toEqual([]);
  });
});
