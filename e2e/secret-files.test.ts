import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApprovalAnswer, ApprovalMode } from '@bulkhead/protocol/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { auditLines } from './support/audit-steps.ts';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType } from './support/event-lines.ts';
import { Talk } from './support/talk.ts';
import { useSharedStage } from './support/use-stage.ts';
import { sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();

const VALUE = 'canary-abc123def456';
const CONTENT = `PORT=8080\nTOKEN=${VALUE}\n`;
/** Fails as a program does that finds none of its settings. */
const PROGRAM = '. ./.env; [ -n "$TOKEN" ] || exit 3; echo ran >> runs.txt; echo "port $PORT token $TOKEN"\n';

let folder: string;
beforeEach(() => {
  ({ folder } = stage());
  writeFileSync(join(folder, '.env'), CONTENT);
  writeFileSync(join(folder, 'app.sh'), PROGRAM);
  rmSync(join(folder, 'runs.txt'), { force: true });
});

interface Call {
  readonly command: string;
  readonly [name: string]: unknown;
}

/** A session, and a model that makes the call whose name is the message. */
async function begin(calls: Readonly<Record<string, Call>>) {
  await stage().model((request) => {
    const { role, text = '' } = sentMessages(request).at(-1) ?? {};
    const args = role === 'user' && Object.hasOwn(calls, text) ? calls[text] : undefined;
    if (args !== undefined) return { toolCalls: [{ name: 'bash', args }] };
    return { text: role === 'tool' ? 'done' : 'a title' };
  });
  return await Talk.begin(stage());
}

async function answer(talk: Talk, said: ApprovalAnswer, after = 0) {
  const asked = await talk.event('approval_requested', ({ seq }) => seq > after);
  using client = await stage().client();
  await client.call('decideApproval', {
    sessionId: talk.session,
    answer: said,
    approvalId: asked.approval,
    actionHash: asked.hash,
  });
  return asked;
}

const ask = (content: string) => ({ content, options: { approve: ApprovalMode.ASK } });
const run = { command: 'sh app.sh' };

describe('a command that finds .env empty', () => {
  it('is one question, runs again with the file, and prints none of its values [A2] [A6] [A7]', async () => {
    await using talk = await begin({ go: run });
    await talk.send('go', ask('go'));
    const asked = await answer(talk, ApprovalAnswer.ALLOW_ONCE);
    expect(asked.reason).toContain('allow `sh app.sh` to read .env of this folder?');
    expect(asked.shown).toContain('needs the file: .env');
    expect(asked.scopes).toEqual(['once', 'session', 'always']);
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'action_completed').map(({ success }) => success)).toEqual([false, true]);
    const [output] = ofType(events, 'tool_output');
    expect(output?.text).toContain('port 8080 token [redacted:secret]');
    expect(JSON.stringify(events)).not.toContain(VALUE);
    expect(stage().read('runs.txt')).toBe('ran\n');
    const granted = auditLines(stage()).filter(
      ({ step, session }) => step === 'APPROVED' && session === talk.session,
    );
    expect(granted.map(({ details }) => details)).toEqual([
      expect.objectContaining({ about: 'needs', kind: 'secret-file', targets: ['.env'], scope: 'once' }),
    ]);
    expect(readdirSync(join(stage().layout.run, 'shown'))).toEqual([]);
  });
});
