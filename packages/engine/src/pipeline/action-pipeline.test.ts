import type { AuditInput } from '@bulkhead/audit';
import {
  BulkheadError,
  type DurableEventBody,
  type ToolDescription,
  type ToolHostCall,
  type ToolResult,
  type Verdict,
} from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { ApprovalDesk, type ApprovalMode } from '../approvals/approval-desk.ts';
import { ActionPipeline, type PipelineParts } from './action-pipeline.ts';
import { canonicalForm } from './canonical-action.ts';
import { labelsNotPresent, redactionNotPresent, snapshotsNotPresent } from './stages.ts';

const write: ToolDescription = {
  name: 'write',
  description: '',
  group: 'files',
  readOnly: false,
  effect: 'idempotent',
  inputSchema: {},
  parse: (input) => {
    if (typeof input === 'object' && input !== null && 'path' in input) return { ...input };
    throw new BulkheadError('invalid_arguments', 'path is missing');
  },
  paths: (args) => [{ path: String(args['path']), access: 'write' }],
};

const known = new Map([write, { ...write, name: 'edit' }].map((tool) => [tool.name, tool]));

const allow: Verdict = { decision: 'allow', tier: 0, rule: 'r', reason: 'fine', confidence: 1 };

/** The pipeline with everything but one part real enough to watch the order of things. */
function harness(parts: Partial<PipelineParts> = {}, verdict: Verdict = allow) {
  const order: string[] = [];
  const audited: AuditInput[] = [];
  const events: DurableEventBody[] = [];
  const calls: ToolHostCall[] = [];
  let next = 0;
  const ids = () => {
    next += 1;
    return `id-${next}`;
  };
  const clock = { now: () => 1_000, monotonic: () => 0 };
  const approvals = new ApprovalDesk({ clock, ids, timeoutMs: 1_000 });
  const pipeline = new ActionPipeline({
    clock,
    ids,
    tools: { get: (name) => known.get(name), names: () => [...known.keys()] },
    audit: {
      append: async (entries) => {
        audited.push(...entries);
        order.push(...entries.map(({ step }) => `audit ${step}`));
        return [];
      },
    },
    labels: labelsNotPresent,
    shield: {
      judge: async () => {
        order.push('judge');
        return verdict;
      },
    },
    approvals,
    snapshots: snapshotsNotPresent,
    hostOf: () => ({
      execute: async (call): Promise<ToolResult> => {
        calls.push(call);
        order.push('execute');
        return { text: 'done', isError: false };
      },
    }),
    redaction: redactionNotPresent,
    placesOf: () => ({ home: '/home/u/.bulkhead', readableOutputs: '/home/u/.bulkhead/state/outputs/s' }),
    ...parts,
  });
  const run = (argumentsJson: string, approve: ApprovalMode = 'deny', tool = 'write') =>
    pipeline.run(
      {
        sessionId: 's',
        runId: 'r',
        callId: 'c',
        tool,
        loaded: tool !== 'edit',
        argumentsJson,
        workingFolder: '/work',
      },
      {
        approve,
        request: 'do it',
        signal: new AbortController().signal,
        update: () => {},
        publish: (...published) => {
          events.push(...published);
          order.push(...published.map(({ type }) => type));
        },
      },
    );
  return { run, order, audited, events, calls, approvals };
}

describe('ActionPipeline', () => {
  it('goes through its stages in the order of A1, the audit before the effect [A1]', async () => {
    const test = harness();
    await expect(test.run('{"path":"a"}')).resolves.toEqual({
      result: { text: 'done', isError: false },
      refused: false,
    });
    expect(test.order).toEqual([
      'action_started',
      'judge',
      'shield_verdict',
      'audit PROPOSED',
      'audit EVALUATED',
      'audit STARTED',
      'execute',
      'audit EXECUTED',
      'action_completed',
    ]);
  });

  it('executes, shows and audits the bytes that were judged [A1]', async () => {
    const test = harness({}, { ...allow, decision: 'escalate' });
    await test.run('{ "path": "a",  "content": "\\u0078" }', 'allow');
    const { canonical, hash } = canonicalForm('write', { content: 'x', path: 'a' });
    expect(canonical).toBe('{"arguments":{"content":"x","path":"a"},"tool":"write"}');
    expect(test.calls[0]?.canonicalArguments).toBe('{"content":"x","path":"a"}');
    expect(test.events.find(({ type }) => type === 'approval_requested')).toMatchObject({
      shown: canonical,
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
    expect(test.order).toEqual(['action_started', 'audit REFUSED', 'action_completed']);
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
      'action_completed',
    ]);
  });

  it.each([
    ['the judge', { shield: { judge: () => Promise.reject(new Error('judge broke')) } }],
    [
      'the labels',
      {
        labels: {
          ...labelsNotPresent,
          decide: () => {
            throw new Error('labels broke');
          },
        },
      },
    ],
    [
      'the snapshot',
      { snapshots: { ...snapshotsNotPresent, take: () => Promise.reject(new Error('no space')) } },
    ],
  ] satisfies [string, Partial<PipelineParts>][])('blocks when %s fails [A4]', async (_what, broken) => {
    const test = harness(broken);
    const { result } = await test.run('{"path":"a"}', 'allow');
    expect(result.isError).toBe(true);
    expect(test.order).not.toContain('execute');
    expect(test.order.at(-1)).toBe('action_completed');
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
    home = '/work';
    const asked = test.events.find((event) => event.type === 'approval_requested');
    test.approvals.decide(asked?.approval ?? '', 's', asked?.hash ?? '', 'allow');
    await expect(running).resolves.toMatchObject({ refused: true });
    expect(test.order).not.toContain('execute');
  });

  it('reports a host that throws as a failed action, not as a refused one', async () => {
    const test = harness({ hostOf: () => ({ execute: () => Promise.reject(new Error('worker died')) }) });
    await expect(test.run('{"path":"a"}')).resolves.toMatchObject({
      result: { isError: true, text: 'worker died' },
      refused: false,
    });
    expect(test.order.at(-2)).toBe('audit FAILED');
  });
});
