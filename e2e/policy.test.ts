import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyAuditLog } from '@bulkhead/audit';
import type { SessionEvent } from '@bulkhead/protocol';
import type { ScriptedToolCall } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, settledOf } from './support/event-lines.ts';
import type { Stage } from './support/stage.ts';
import { useSharedStage } from './support/use-stage.ts';
import { sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();

const STRICT = 'policy: strict';

const write = (path: string) => ({ name: 'write', args: { path, content: 'written' } });
const bash = (command: string) => ({ name: 'bash', args: { command } });

interface AuditLine {
  readonly step: string;
  readonly action: string;
  readonly tool: string;
  readonly hash: string;
}

/** The audit log of a stage, entry by entry. */
function auditLines(at: Stage): readonly AuditLine[] {
  const text = readFileSync(join(at.layout.audit, 'audit-000001.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The entries of the actions that these events tell of. */
function entriesOf(at: Stage, events: readonly SessionEvent[]): readonly AuditLine[] {
  const actions = new Set(ofType(events, 'action_started').map(({ action }) => action));
  return auditLines(at).filter(({ action }) => actions.has(action));
}

const stepsOf = (at: Stage, events: readonly SessionEvent[], tool: string) =>
  entriesOf(at, events)
    .filter((line) => line.tool === tool)
    .map(({ step }) => step);

/** A model that makes one call and gives up after its result. */
async function one(at: Stage, call: ScriptedToolCall, config = '', options: readonly string[] = []) {
  const server = await at.model([{ toolCalls: [call] }, { text: 'that is it' }], { config });
  const result = await at.cli(['run', '--json', ...options, 'go']);
  expect(grammarProblems(result.events)).toEqual([]);
  const [output] = ofType(result.events, 'tool_output');
  const sent = sentMessages(server.requests[1] ?? noRequest()).flatMap(({ results }) => results);
  expect(sent.map(({ text }) => text)).toEqual([output?.text]);
  return { ...result, output: output?.text ?? '', outcome: settledOf(result.events).outcome };
}

describe('an action that needs approval', () => {
  it('is not done when it is denied: exit 3 [A1, A6, I1]', async () => {
    const { code, events, outcome, output } = await one(stage(), write('new.txt'), STRICT, [
      '--approve',
      'deny',
    ]);
    expect({ code, outcome }).toEqual({ code: 3, outcome: 'blocked' });
    expect(() => stage().read('new.txt')).toThrow('ENOENT');
    expect(output).toContain('Nothing was done');
    expect(ofType(events, 'approval_requested')).toHaveLength(1);
    expect(ofType(events, 'approval_decided')).toMatchObject([{ decision: 'deny', by: 'nobody' }]);
    expect(stepsOf(stage(), events, 'write')).toEqual(['PROPOSED', 'EVALUATED', 'DENIED', 'REFUSED']);
  });

  it('is denied where no one can be asked [A6]', async () => {
    const { code } = await one(stage(), bash('touch made'), STRICT);
    expect(code).toBe(3);
    expect(() => stage().read('made')).toThrow('ENOENT');
  });

  it('is done when it is allowed, with what was shown bound to what is run [A6]', async () => {
    const { code, events } = await one(stage(), write('new.txt'), STRICT, ['--approve', 'allow']);
    expect(code).toBe(0);
    expect(stage().read('new.txt')).toBe('written');
    const [asked] = ofType(events, 'approval_requested');
    const [decided] = ofType(events, 'approval_decided');
    expect(asked?.shown).toContain('new.txt');
    expect(asked?.shown).toContain('written');
    expect(decided).toMatchObject({ decision: 'allow', by: 'run_option', hash: asked?.hash });
    expect(stepsOf(stage(), events, 'write')).toEqual([
      'PROPOSED',
      'EVALUATED',
      'APPROVED',
      'STARTED',
      'EXECUTED',
    ]);
    expect(
      new Set(
        entriesOf(stage(), events)
          .filter(({ tool }) => tool === 'write')
          .map(({ hash }) => hash),
      ),
    ).toEqual(new Set([asked?.hash]));
  });

  it('waits for a client that answers, once and only for the hash it was shown [A6]', async () => {
    await stage().model([{ toolCalls: [write('new.txt')] }, { text: 'done' }], { config: STRICT });
    const run = stage().start(['run', '--json', '--approve', 'ask', 'go']);
    const { session, approval, hash } = await run.event('approval_requested');
    using client = await stage().client();
    const answer = (actionHash: string) =>
      client.call('decideApproval', { sessionId: session, approvalId: approval, actionHash, answer: 2 });
    expect((await answer('0'.repeat(64))).accepted).toBe(false);
    expect(() => stage().read('new.txt')).toThrow('ENOENT');
    expect((await answer(hash)).accepted).toBe(true);
    expect((await answer(hash)).accepted).toBe(false);
    const { code, events } = await run.done();
    expect(code).toBe(0);
    expect(stage().read('new.txt')).toBe('written');
    expect(ofType(events, 'approval_decided')).toMatchObject([{ decision: 'allow', by: 'person' }]);
  });
});

describe('protected files and actions', () => {
  it.each<[string, (at: Stage) => ScriptedToolCall, RegExp]>([
    [
      'a write outside of the working folder',
      (at) => write(join(at.userHome, 'x.txt')),
      /outside the working folder/,
    ],
    ['a way out with dots', () => write('../user/x.txt'), /outside the working folder/],
    [
      'a read outside of it',
      () => ({ name: 'read', args: { path: '/etc/hostname' } }),
      /outside the working folder/,
    ],
    ['a read of credentials', () => ({ name: 'read', args: { path: '.env' } }), /credentials/],
    ['a write to the files of Bulkhead', (at) => write(at.layout.config), /belongs to Bulkhead/],
    [
      'a hook that would run later',
      () => write('.git/hooks/pre-commit'),
      /run or obeyed by other programs later/,
    ],
  ])('%s is blocked: exit 3 [A2]', async (_what, call, reason) => {
    stage().write('.env', 'SECRET=1');
    const { code, output, outcome, events } = await one(stage(), call(stage()));
    expect({ code, outcome }).toEqual({ code: 3, outcome: 'blocked' });
    expect(output).toMatch(reason);
    expect(output).not.toContain('SECRET=1');
    expect(ofType(events, 'shield_verdict')).toMatchObject([{ decision: 'block', tier: 0 }]);
    expect(() => readFileSync(join(stage().userHome, 'x.txt'))).toThrow('ENOENT');
    expect(() => stage().read('.git/hooks/pre-commit')).toThrow('ENOENT');
    expect(readFileSync(stage().layout.config, 'utf8')).toContain('models:');
  });

  it('credentials stay unread by searches too [A2]', async () => {
    for (const name of ['.env', 'id_rsa', 'server.pem', '.aws/credentials'])
      stage().write(name, 'SECRET=s3cr3t');
    stage().write('plain.txt', 'SECRET=public');
    const searches = [
      { pattern: 'SECRET' },
      { pattern: 's3cr3t', glob: '.env' },
      { pattern: 's3cr3t', glob: '*.pem' },
    ];
    await stage().model([{ toolCalls: searches.map((args) => ({ name: 'grep', args })) }, { text: 'done' }]);
    const { events } = await stage().cli(['run', '--json', 'go']);
    const found = ofType(events, 'tool_output')
      .map(({ text }) => text)
      .join('\n');
    expect(found).toContain('plain.txt:1: SECRET=public');
    expect(found.split('\n').filter((line) => line.includes('s3cr3t'))).toEqual([]);
  });

  it.each<[string, ScriptedToolCall]>([
    ['read', { name: 'read', args: { path: 'harmless.txt' } }],
    ['write', write('harmless.txt')],
    ['edit', { name: 'edit', args: { path: 'harmless.txt', old_text: 's3cr3t', new_text: 'x' } }],
    ['read from outside', { name: 'read', args: { path: 'diary.txt' } }],
  ])('a link does not open the way to %s [A2]', async (_what, call) => {
    stage().write('.env', 'SECRET=s3cr3t');
    writeFileSync(join(stage().userHome, 'diary.txt'), 'SECRET=s3cr3t');
    symlinkSync('.env', join(stage().folder, 'harmless.txt'));
    symlinkSync('../user/diary.txt', join(stage().folder, 'diary.txt'));
    const { events, output } = await one(stage(), call);
    expect(ofType(events, 'tool_output')).toMatchObject([{ isError: true }]);
    expect(output).not.toContain('s3cr3t');
    expect(stage().read('.env')).toBe('SECRET=s3cr3t');
  });

  it('a refusal that the model worked around leaves the run completed', async () => {
    await stage().model([
      { toolCalls: [write('/etc/x')] },
      { toolCalls: [write('inside.txt')] },
      { text: 'went elsewhere' },
    ]);
    const { code, stdout } = await stage().cli(['run', 'go']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'went elsewhere\n' });
  });

  it.each<[string, ScriptedToolCall, RegExp]>([
    ['a tool that is not there', { name: 'rm_rf', args: {} }, /no tool "rm_rf/],
    ['arguments that do not fit', { name: 'read', args: { file: 'a' } }, /path/],
    ['arguments that are no JSON', { name: 'read', rawArgs: '{"path": ' }, /not JSON/],
  ])('a call of %s is an error for the model, the run goes on [A3]', async (_what, call, reason) => {
    const { code, events, output } = await one(stage(), call);
    expect(code).toBe(0);
    expect(output).toMatch(reason);
    expect(ofType(events, 'tool_output')).toMatchObject([{ isError: true }]);
    expect(ofType(events, 'action_completed')).toMatchObject([{ success: false }]);
    expect(stepsOf(stage(), events, ofType(events, 'action_started')[0]?.tool ?? '')).toEqual(['REFUSED']);
  });
});

it('the audit log names an action before it has its effect, and verifies [A1, U1]', async () => {
  await stage().model([
    { toolCalls: [bash('echo begun; until ls | grep -qx go; do sleep 0.02; done'), write('a.txt')] },
    { text: 'done' },
  ]);
  const run = stage().start(['run', '--json', 'go']);
  await run.event('tool_delta', ({ text }) => text.includes('begun'));
  expect(stepsOf(stage(), run.events(), 'bash')).toEqual(['PROPOSED', 'EVALUATED', 'STARTED']);
  expect(stepsOf(stage(), run.events(), 'write')).toEqual([]);
  stage().write('go', '');
  const { code, events } = await run.done();
  expect(code).toBe(0);
  for (const tool of ['bash', 'write']) {
    expect(stepsOf(stage(), events, tool)).toEqual(['PROPOSED', 'EVALUATED', 'STARTED', 'EXECUTED']);
  }
  const actions = ofType(events, 'action_started').map(({ action, hash }) => `${action} ${hash}`);
  const entries = entriesOf(stage(), events);
  expect(new Set(entries.map(({ action, hash }) => `${action} ${hash}`))).toEqual(new Set(actions));
  expect(entries).toHaveLength(8);
  expect(await verifyAuditLog(stage().layout.audit)).toMatchObject({ ok: true });
});

function noRequest(): never {
  throw new Error('there was no such request');
}
