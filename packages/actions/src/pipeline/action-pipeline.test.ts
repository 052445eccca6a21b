import { BulkheadError, type ToolDescription } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { YES } from '../testing/answers.ts';
import { noLabels, noSnapshots } from '../testing/no-stages.ts';
import { allow, CHANGES, pipelineStage as harness } from '../testing/pipeline-stage.ts';
import { canonicalForm } from './canonical-action.ts';
import type { PipelineParts } from './pipeline-parts.ts';

describe('ActionPipeline', () => {
  it('goes through its stages in the order of A1, the audit before the effect [A1]', async () => {
    const test = harness();
    await expect(test.run('{"path":"a"}')).resolves.toMatchObject({
      result: { text: 'done', isError: false },
      refused: false,
      completed: { type: 'action_completed', success: true },
    });
    expect(test.order).toEqual([
      'action_started',
      'judge',
      'shield_verdict',
      'intent',
      'audit PROPOSED',
      'audit EVALUATED',
      'audit STARTED',
      'execute',
      'audit EXECUTED',
    ]);
  });

  it('executes, shows and audits the bytes that were judged [A1] [FT26]', async () => {
    const test = harness({}, { ...allow, decision: 'escalate' });
    await test.run('{ "path": "a",  "content": "\\u0078" }', 'allow');
    const { canonical, hash } = canonicalForm('write', { content: 'x', path: 'a' });
    expect(canonical).toBe('{"arguments":{"content":"x","path":"a"},"tool":"write"}');
    expect(test.calls[0]?.canonicalArguments).toBe('{"content":"x","path":"a"}');
    expect(test.events.find(({ type }) => type === 'approval_requested')).toMatchObject({
      shown: 'in /project\npath: a\ncontent: x\nwould write',
      hash,
    });
    expect(new Set(test.audited.map((entry) => entry.hash))).toEqual(new Set([hash]));
  });

  it.each([
    ['an unknown tool', 'rm', '{}', 'there is no tool "rm"'],
    ['a tool that is not loaded', 'edit', '{"path":"a"}', 'load its group files with load_tools'],
    ['arguments that are no JSON', 'write', '{"path":', 'not JSON'],
    ['arguments the schema refuses', 'write', '{"p":1}', 'path is missing'],
  ])('never lets %s near a judge or an executor [A3]', async (_what, tool, args, message) => {
    const test = harness();
    const { result, refused } = await test.run(args, 'allow', tool);
    expect(result).toMatchObject({ isError: true });
    expect(result.text).toContain(message);
    expect(refused).toBe(false);
    expect(test.order).toEqual(['action_started', 'audit REFUSED']);
  });

  it('asks a person about what other programs run unasked, whatever the policy allows [FT14]', async () => {
    const test = harness();
    const denied = await test.run('{"path":".vscode/tasks.json"}', 'deny');
    expect(denied).toMatchObject({ refused: true });
    expect(denied.result.text).toContain('.vscode/tasks.json is run automatically by VS Code');
    expect(test.calls).toEqual([]);
    const allowed = await test.run('{"path":".vscode/tasks.json"}', 'allow');
    expect(allowed.result.text).toBe('done');
    expect(test.events.find(({ type }) => type === 'approval_requested')).toMatchObject({
      reason: expect.stringContaining('run automatically'),
    });
  });

  it('lets a block of the flow win over what protection would ask [FT14]', async () => {
    const verdict = { ...allow, decision: 'block' as const, rule: 'flow', reason: 'tainted' };
    const decide = () => ({ says: 'object', verdict }) as const;
    const test = harness({ labels: { ...noLabels, decide } });
    const { result } = await test.run('{"path":".vscode/tasks.json"}', 'allow');
    expect(result.text).toContain('tainted');
    expect(test.calls).toEqual([]);
  });

  it('blocks what protection names, whatever the policy says [A2]', async () => {
    const test = harness();
    const { result, refused } = await test.run('{"path":"/etc/passwd"}', 'allow');
    expect(refused).toBe(true);
    expect(result.text).toContain('protection/outside');
    expect(test.order).not.toContain('judge');
    expect(test.order).not.toContain('execute');
  });

  it('asks, and does nothing on a no [A6]', async () => {
    const test = harness({}, { ...allow, decision: 'escalate', reason: 'unusual' });
    const { result, refused } = await test.run('{"path":"a"}', 'deny');
    expect(refused).toBe(true);
    expect(result.text).toContain('unusual');
    expect(test.order).toEqual([
      'action_started',
      'judge',
      'shield_verdict',
      'audit PROPOSED',
      'audit EVALUATED',
      'approval_requested',
      'approval_decided',
      'audit DENIED',
      'audit REFUSED',
    ]);
  });

  it.each([
    ['the judge', { shield: { judge: () => Promise.reject(new Error('judge broke')) } }],
    [
      'the labels',
      {
        labels: {
          ...noLabels,
          decide: () => {
            throw new Error('labels broke');
          },
        },
      },
    ],
    ['the snapshot', { snapshots: { ...noSnapshots, take: () => Promise.reject(new Error('no space')) } }],
  ] satisfies [string, Partial<PipelineParts>][])('blocks when %s fails [A4]', async (_what, broken) => {
    const test = harness(broken);
    const { result } = await test.run('{"path":"a"}', 'allow');
    expect(result.isError).toBe(true);
    expect(test.order).not.toContain('execute');
    expect(test.order.at(-1)).toBe('audit REFUSED');
  });

  it('sees what an action left, also of one that failed or was cut off before it began [U2]', async () => {
    const finished: string[] = [];
    const snapshots = {
      ...noSnapshots,
      take: async () => void finished.push('take'),
      finish: async () => void finished.push('finish'),
    };
    await harness({ snapshots }).run('{"path":"a"}', 'allow');
    // Once after the effect, and once for actions that never had one.
    expect(finished).toEqual(['take', 'finish', 'finish']);
    finished.length = 0;
    const signal = AbortSignal.abort();
    await harness({ snapshots }).run('{"path":"a"}', 'allow', 'write', { signal });
    expect(finished).toEqual(['take', 'finish']);
  });

  it('stops the run when the audit can not be written [A4]', async () => {
    const failing = { append: () => Promise.reject(new BulkheadError('audit_failed', 'disk full')) };
    const test = harness({ audit: failing });
    await expect(test.run('{"path":"a"}')).rejects.toMatchObject({ code: 'audit_failed' });
    expect(test.order).not.toContain('execute');
  });

  it('refuses when protection comes to cover the target while a person decides [A1]', async () => {
    let home = '/home/u/.bulkhead';
    const places = () => ({ home, readableOutputs: '/nowhere' });
    const test = harness({ placesOf: places }, { ...allow, decision: 'escalate' });
    const running = test.run('{"path":"a"}', 'ask');
    await new Promise((resolve) => setTimeout(resolve, 10));
    home = '/project';
    const asked = test.events.find((event) => event.type === 'approval_requested');
    test.approvals.decide({ approval: asked?.approval ?? '', session: 's', hash: asked?.hash ?? '' }, YES);
    await expect(running).resolves.toMatchObject({ refused: true });
    expect(test.order).not.toContain('execute');
  });

  it.each([false, true])(
    'refuses a call whose bytes change after it was judged: %s [A1]',
    async (changes) => {
      let content = 'judged';
      // Its members are frozen once it is an action; its JSON form is not.
      const form = { toJSON: () => ({ path: 'a', content }) };
      const args: Record<string, unknown> = Object.assign(Object.create(form), { path: 'a', content });
      const tool: ToolDescription = {
        name: 'write',
        description: '',
        group: 'files',
        readOnly: false,
        effect: 'idempotent',
        inputSchema: {},
        parse: () => ({ arguments: args, effect: 'idempotent', paths: [] }),
      };
      const shield = {
        judge: async () => {
          if (changes) content = 'other';
          return allow;
        },
      };
      const test = harness({ shield, tools: { get: () => tool, names: () => [] } });
      const { refused, result } = await test.run('{}');
      expect(refused).toBe(changes);
      expect(test.calls).toHaveLength(changes ? 0 : 1);
      if (changes) expect(result.text).toContain('the action changed after it was judged');
    },
  );

  it.each([
    ['as the call would leave it', 'ff', 'executed'],
    ['as the call found it', null, 'not_executed'],
    ['as neither', 'aa', 'unknown'],
    ['where nobody can look', undefined, 'unknown'],
  ])('finds out what a lost executor did: files %s [T8] [FG5] [FT78]', async (_what, hash, fate) => {
    const host = {
      execute: () => Promise.reject(new Error('worker died')),
      plan: async () => ({ text: '', isError: false, changes: CHANGES }),
      inspect: async () => [{ path: 'a', hash }],
    };
    const doubtful = new Set<string>();
    const test = harness({ hostOf: () => host });
    const { result, refused, completed } = await test.run('{"path":"a"}', 'deny', 'write', { doubtful });
    expect(completed).toMatchObject({ success: fate === 'executed', fate });
    expect(refused).toBe(false);
    expect(result.text).toContain('worker died');
    expect(doubtful.size).toBe(fate === 'unknown' ? 1 : 0);
    expect(test.order.at(-1)).toBe(fate === 'executed' ? 'audit EXECUTED' : 'audit FAILED');
  });
});
