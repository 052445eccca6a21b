import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApprovalAnswer } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import type { Stage } from './support/stage.ts';
import { until } from './support/until.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

const write = (path: string) => ({ toolCalls: [{ name: 'write', args: { path, content: 'written' } }] });
const done = { text: 'done' };
const policyFile = (at: Stage) => join(at.layout.policies, 'strict.yaml');
const ASKS = /by: human\n {6}reason: changes a file/;

/** A strict policy that allows writes without approval. */
const opened = (text: string) =>
  text.replace(
    /verify:\n.*?\n {2}allow:/s,
    'verify: []\n  allow:\n    - { name: w, match: { tool: write }, reason: r }',
  );

/** The versions of the policy under which actions of a tool were judged. */
function versions(at: Stage, tool: string): readonly string[] {
  const text = readFileSync(join(at.layout.audit, 'audit-000001.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((entry) => entry.step === 'EVALUATED' && entry.tool === tool)
    .map((entry) => entry.details.policy);
}

describe('a policy that is changed while the engine runs', () => {
  it('takes effect immediately; a broken or missing one changes nothing and is reported [FT24] [H1]', async () => {
    const at = stage();
    const turns = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? write(`file-${n}`) : done));
    await at.model(turns, {
      config: 'policy: strict',
    });
    expect((await at.cli(['run', 'go'])).code).toBe(3);
    const strict = readFileSync(policyFile(at), 'utf8');
    expect(strict).toMatch(ASKS);
    writeFileSync(policyFile(at), opened(strict));
    await until('the new policy counts', async () => (await at.cli(['run', 'go'])).code === 0);
    const notices = async () =>
      (await at.status()).notices.filter((one) => one.startsWith('POLICY NOT TAKEN OVER'));
    expect(await notices()).toEqual([]);
    writeFileSync(policyFile(at), strict.slice(0, strict.indexOf('allow:')));
    await until('status tells of the broken policy', async () => (await notices()).length === 1);
    // Both in the same words, but for what an engine that runs does instead.
    const [, said] = /^FAIL policy: (.*)$/m.exec((await at.cli(['doctor'])).stdout) ?? [];
    expect((await notices())[0]).toMatch(/; strict \(version [0-9a-f]{12}\) stays in force$/);
    expect((await notices())[0]?.replace(/; strict \(version .*/, '')).toBe(`POLICY ${said}`);
    rmSync(policyFile(at));
    const isGone = async () => (await notices()).some((one) => one.includes('is not there'));
    await until('status tells that it is gone', isGone);
    const judged = versions(at, 'write');
    expect(new Set(judged).size).toBe(2);
    for (const version of judged) expect(version).toMatch(/^[0-9a-f]{64}$/);
    await at.cli(['stop']);
    const refused = await at.cli(['run', 'go']);
    expect(refused.code).toBe(1);
    expect(refused.errors).toEqual([expect.stringContaining('strict.yaml is not there')]);
  });
});

describe('a permanent approval', () => {
  it('writes the rule that was shown, and is not asked again, also after a restart [A6]', async () => {
    const at = stage();
    await at.model([write('a'), done, write('a'), done, write('b'), done], { config: 'policy: strict' });
    const run = at.start(['run', '--json', '--approve', 'ask', 'go']);
    const { session, approval, hash, rule = '', scopes } = await run.event('approval_requested');
    expect(scopes).toEqual(['once', 'session', 'always']);
    using client = await at.client();
    const [listed] = (await client.call('listApprovals', {})).approvals;
    expect(listed).toMatchObject({ approvalId: approval, actionHash: hash, rule });
    const answer = {
      sessionId: session,
      approvalId: approval,
      actionHash: hash,
      answer: ApprovalAnswer.ALLOW_ALWAYS,
    };
    expect((await client.call('decideApproval', answer)).accepted).toBe(true);
    expect((await run.done()).code).toBe(0);
    const { name } = JSON.parse(rule);
    expect(readFileSync(join(at.layout.policies, 'always.yaml'), 'utf8')).toContain(name);
    await at.cli(['restart']);
    const again = await at.cli(['run', '--json', 'go']);
    expect(again.code).toBe(0);
    expect(ofType(again.events, 'shield_verdict')).toMatchObject([{ decision: 'allow', rule: name }]);
    expect((await at.cli(['run', 'go'])).code).toBe(3);
  });
});

it('a file that changes while a person decides is asked about again, with its new diff [FT43] [FR4]', async () => {
  const at = stage();
  at.write('a', 'as it was\n');
  await at.model([write('a'), done], { config: 'policy: strict' });
  const run = at.start(['run', '--json', '--approve', 'ask', 'go']);
  const first = await run.event('approval_requested');
  expect(first.shown).toContain('-as it was');
  at.write('a', 'as somebody left it\n');
  using client = await at.client();
  const allow = (approvalId: string) =>
    client.call('decideApproval', {
      sessionId: first.session,
      approvalId,
      actionHash: first.hash,
      answer: ApprovalAnswer.ALLOW_ONCE,
    });
  await allow(first.approval);
  const second = await run.event('approval_requested', ({ approval }) => approval !== first.approval);
  expect(second.shown).toContain('-as somebody left it');
  expect(at.read('a')).toBe('as somebody left it\n');
  await allow(second.approval);
  expect((await run.done()).code).toBe(0);
  expect(at.read('a')).toBe('written');
});
