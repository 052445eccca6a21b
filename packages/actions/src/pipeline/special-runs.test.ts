import { BulkheadError } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { NO } from '../testing/answers.ts';
import { allow, CHANGES, pipelineStage as harness } from '../testing/pipeline-stage.ts';
import { canonicalForm } from './canonical-action.ts';
import { MAY_HAVE_HAPPENED } from './refusal.ts';

describe('ActionPipeline in a dry run, off the record, and after a crash', () => {
  it('says before the effect what it will change, so that it can be looked up after a crash [FR7]', async () => {
    const test = harness();
    await test.run('{"path":"a"}');
    expect(test.intents).toMatchObject([{ tool: 'write', effect: 'idempotent', changes: CHANGES }]);
    expect(test.order.indexOf('intent')).toBeLessThan(test.order.indexOf('execute'));
  });

  it('does nothing whose intent can not be kept [T8]', async () => {
    const test = harness();
    const intend = () => {
      throw new BulkheadError('store_failed', 'no space left');
    };
    await expect(test.run('{"path":"a"}', 'allow', 'write', { intend })).rejects.toThrow('no space left');
    expect(test.order).not.toContain('execute');
  });

  it('describes in a dry run, and does nothing [A5]', async () => {
    const test = harness({}, { ...allow, decision: 'escalate', reason: 'unusual' });
    const { result, completed } = await test.run('{"path":"a"}', 'ask', 'write', { dryRun: true });
    expect(result.text).toContain('would need approval first: unusual');
    expect(result.text).not.toContain('would write');
    expect(completed).toMatchObject({ dryRun: true, success: true });
    expect(test.order).not.toContain('execute');
    expect(test.intents).toEqual([]);
    expect(test.audited.map(({ step }) => step)).toEqual(['PROPOSED', 'EVALUATED', 'DESCRIBED']);
  });

  it('refuses in a dry run what it would refuse without [A5]', async () => {
    const test = harness({}, { ...allow, decision: 'block' });
    await expect(test.run('{"path":"a"}', 'allow', 'write', { dryRun: true })).resolves.toMatchObject({
      refused: true,
    });
  });

  it('lets nothing but reading pass off the record, and keeps no word of it in the audit [S5]', async () => {
    const test = harness();
    const { result, refused } = await test.run('{"path":"secret.txt"}', 'allow', 'write', {
      offTheRecord: true,
    });
    expect(refused).toBe(true);
    expect(result.text).toContain('off the record');
    expect(test.order).not.toContain('execute');
    expect(JSON.stringify(test.audited)).not.toContain('secret');
    expect(test.audited.every(({ hash, details }) => hash === '' && Object.keys(details).length === 0)).toBe(
      true,
    );
  });

  it('asks a person before it does again what may have been done, whatever policy and run say [T8]', async () => {
    const test = harness();
    const { hash } = canonicalForm('write', { path: 'a' });
    const running = test.run('{"path":"a"}', 'allow', 'write', { doubtful: new Set([hash]) });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(test.order).toContain('approval_requested');
    expect(test.order).not.toContain('execute');
    const asked = test.events.find((event) => event.type === 'approval_requested');
    test.approvals.decide({ approval: asked?.approval ?? '', session: 's', hash: hash }, NO);
    await expect(running).resolves.toMatchObject({ refused: true });
  });

  it('shows every reason for an action with unknown outcome: a reason that was not shown was not allowed [T8] [FT14]', async () => {
    const test = harness();
    const path = '.vscode/tasks.json';
    const { hash } = canonicalForm('write', { path });
    const doubtful = new Set([hash]);
    const running = test.run(JSON.stringify({ path }), 'ask', 'write', { doubtful });
    await expect.poll(() => test.approvals.open.length, { interval: 1 }).toBe(1);
    const [open] = test.approvals.open;
    expect(open?.reason).toContain(MAY_HAVE_HAPPENED.reason);
    expect(open?.reason).toContain('run automatically by VS Code');
    test.approvals.decide({ approval: open?.id ?? '', session: 's', hash }, NO);
    await expect(running).resolves.toMatchObject({ refused: true });
  });
});
