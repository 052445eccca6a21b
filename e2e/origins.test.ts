import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ofType, settledOf } from './support/event-lines.ts';
import { openAiDoor } from './support/openai-door.ts';
import { OFFLINE_TITLES } from './support/stage.ts';
import { until } from './support/until.ts';
import { useStage } from './support/use-stage.ts';
import { WebClient } from './support/web-client.ts';

const stage = useStage();

const POLICY = `version: 1
name: doors
rules:
  deny:
    - name: not-by-api
      match: { tool: write, channel: api }
      reason: programs write nothing
  verify:
    - name: web-asks
      match: { tool: write, channel: web, sender: owner, profile: default }
      by: human
      reason: asked on the web
  allow:
    - name: here
      match: { tool: write, channel: cli }
      reason: the owner is at the terminal
`;

interface Line {
  readonly step: string;
  readonly session: string;
  readonly tool: string;
  readonly details: Readonly<Record<string, unknown>>;
}

function auditLines(session: string): readonly Line[] {
  const text = readFileSync(join(stage().layout.audit, 'audit-000001.jsonl'), 'utf8');
  const lines: Line[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return lines.filter((line) => line.session === session);
}

/** Events of a session, by `sessions show`. */
async function events(session: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { stdout } = await stage().cli(['sessions', 'show', session, '--json']);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const originIn = async (session: string) =>
  (await events(session)).find(({ type, role }) => type === 'message_end' && role === 'user')?.['origin'];

it('keeps the door, sender and profile of each message, and rules decide by them [A6] [H1] [U1]', {
  timeout: 360_000,
}, async () => {
  mkdirSync(stage().layout.policies, { recursive: true, mode: 0o700 });
  writeFileSync(join(stage().layout.policies, 'doors.yaml'), POLICY);
  await stage().model(
    ({ bodyText }) =>
      bodyText.includes('"role":"tool"')
        ? { text: 'that is it' }
        : { toolCalls: [{ name: 'write', args: { path: 'a.txt', content: 'x' } }] },
    { models: OFFLINE_TITLES, config: 'policy: doors' },
  );
  const door = await openAiDoor(stage());

  const atTerminal = await stage().cli(['run', '--json', 'write']);
  const first = settledOf(atTerminal.events);
  const cli = { channel: 'cli', sender: { id: 'owner' }, profile: 'default' };
  expect(first.outcome).toBe('completed');
  expect(ofType(atTerminal.events, 'shield_verdict')).toMatchObject([{ decision: 'allow' }]);
  expect(await originIn(first.session)).toEqual(cli);
  const steps = auditLines(first.session);
  const logged = { channel: 'cli', sender: 'owner', profile: 'default' };
  expect(steps.find(({ step }) => step === 'ACCEPTED')?.details).toMatchObject(logged);
  expect(steps.find(({ step }) => step === 'PROPOSED')?.details).toMatchObject(logged);

  const token = await door.program('helper');
  const asked = await door
    .client(token, { 'x-bulkhead-session': 'errands' })
    .chat.completions.create({ model: 'bulkhead', messages: [{ role: 'user', content: 'write' }] });
  expect(asked.choices[0]?.finish_reason).toBe('stop');
  const sessions = JSON.parse((await stage().cli(['sessions', 'list', '--json'])).stdout);
  const second = sessions.find(({ title }: { title: string }) => title.startsWith('helper'));
  const id = String(second?.session);
  const origin = await originIn(id);
  expect(origin).toMatchObject({ channel: 'api', chat: 'errands', sender: { name: 'helper' } });
  expect((await events(id)).find(({ type }) => type === 'shield_verdict')).toMatchObject({
    decision: 'block',
    rule: expect.stringContaining('not-by-api'),
  });
  const proposed = auditLines(id).find(({ step }) => step === 'PROPOSED');
  expect(proposed?.details).toMatchObject({ channel: 'api', chat: 'errands', senderName: 'helper' });

  const web = await WebClient.of(stage());
  const login = await web.logIn();
  const third = await web.session();
  const headers = { ...login, 'content-type': 'application/json' };
  const body = JSON.stringify({
    messageId: 'm1',
    content: 'write',
    options: { approve: 'APPROVAL_MODE_ASK' },
  });
  const sent = await web.raw(`/api/v1/sessions/${third}/messages`, { method: 'POST', headers, body });
  expect(sent.status).toBe(200);
  await until('a question', async () => (await stage().cli(['approvals', 'list'])).stdout.includes('write'));
  const listed = await stage().cli(['approvals', 'list']);
  expect(listed.stdout).toContain('  requested by: web\n');
  const [question] = JSON.parse((await stage().cli(['approvals', 'list', '--json'])).stdout);
  await stage().cli(['approvals', 'answer', question.approvalId, 'y']);
  const isSettled = async () => (await events(third)).some(({ type }) => type === 'settled');
  await until('the end', isSettled);
  const told = await events(third);
  expect(told.find(({ type }) => type === 'approval_requested')).toMatchObject({
    origin: { channel: 'web', sender: { id: 'owner' } },
  });
  expect(told.find(({ type }) => type === 'approval_decided')).toMatchObject({
    decision: 'allow',
    approver: { channel: 'cli', sender: { id: 'owner' } },
  });
  const approved = auditLines(third).find(({ step }) => step === 'APPROVED');
  expect(approved?.details).toMatchObject({ approver: 'cli/owner' });
});
