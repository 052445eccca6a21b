import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ApprovalAnswer } from '@bulkhead/protocol/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { auditLines } from './support/audit-steps.ts';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType } from './support/event-lines.ts';
import { asking, Talk } from './support/talk.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';
import { sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();

/** Fails as a program does that finds none of its settings. */
const PROGRAM =
  'echo begun >> runs.txt; [ $# -gt 0 ] || set -- .env; . "./$1"; [ -n "$TOKEN" ] || exit 3; echo ran >> runs.txt; echo "port $PORT token $TOKEN"\n';

let folder: string;
/** Another one for each test: the engine goes on, and knows those of earlier tests. */
let value: string;
beforeEach(() => {
  ({ folder } = stage());
  value = `canary-${randomUUID()}`;
  writeFileSync(join(folder, '.env'), content());
  writeFileSync(join(folder, 'app.sh'), PROGRAM);
  rmSync(join(folder, 'runs.txt'), { force: true });
});

const content = () => `PORT=8080\nTOKEN=${value}\n`;

interface Call {
  readonly command: string;
  readonly [name: string]: unknown;
}

/** A session, and a model that makes the call whose name is the message. */
async function begin(calls: Readonly<Record<string, Call>>) {
  await stage().model((request) => {
    const { role, text = '' } = sentMessages(request).at(-1) ?? {};
    const name = role === 'user' ? text.split('\n').find((line) => Object.hasOwn(calls, line)) : undefined;
    const args = name === undefined ? undefined : calls[name];
    if (args !== undefined) return { toolCalls: [{ name: 'bash', args }] };
    return { text: role === 'tool' ? 'done' : 'a title' };
  });
  return await Talk.begin(stage());
}

/** The kept output of a session's background command, once it has printed its line. */
async function outputOf(session: string): Promise<string> {
  const outputs = join(stage().layout.outputs, session);
  const read = () => {
    const names = existsSync(outputs) ? readdirSync(outputs) : [];
    return names.map((name) => readFileSync(join(outputs, name), 'utf8')).join('');
  };
  await until('it has printed its line', () => read().includes('token '));
  return read();
}

const run = { command: 'sh app.sh' };

describe('a command that finds .env empty', () => {
  it('is one question, runs again with the file, and prints none of its values [A2] [A6] [A7]', async () => {
    await using talk = await begin({ go: run });
    await talk.send('go', asking('go'));
    const asked = await talk.answer(ApprovalAnswer.ALLOW_ONCE);
    expect(asked.reason).toContain('allow `sh app.sh` to read .env of this folder?');
    expect(asked.shown).toContain('needs the file: .env');
    expect(asked.scopes).toEqual(['once', 'session', 'always']);
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'action_completed').map(({ success }) => success)).toEqual([false, true]);
    const [output] = ofType(events, 'tool_output');
    expect(output?.text).toContain('port 8080 token [redacted:secret]');
    expect(JSON.stringify(events)).not.toContain(value);
    expect(stage().read('runs.txt')).toBe('begun\nran\n');
    const granted = auditLines(stage()).filter(
      ({ step, session }) => step === 'APPROVED' && session === talk.session,
    );
    expect(granted.map(({ details }) => details)).toEqual([
      expect.objectContaining({ about: 'needs', kind: 'secret-file', targets: ['.env'], scope: 'once' }),
    ]);
    expect(readdirSync(stage().layout.run).filter((name) => name.startsWith('shown-'))).toEqual([]);
  });
});

describe('a stored permission', () => {
  it('serves this command in the folder, also in the background, and no other one [A2] [A6]', async () => {
    const steal = { command: 'sh app.sh; true' };
    await using talk = await begin({ go: run, later: { ...run, background: true }, steal });
    await talk.send('go', asking('go'));
    await talk.answer(ApprovalAnswer.ALLOW_ALWAYS);
    await talk.idleAfter('go');
    await using other = await Talk.begin(stage());
    await other.send('go', asking('go'));
    const served = await other.idleAfter('go');
    expect(ofType(served, 'approval_requested')).toEqual([]);
    expect(ofType(served, 'tool_output')[0]?.text).toContain('port 8080 token [redacted:secret]');
    await other.send('later', asking('later'));
    expect(ofType(await other.idleAfter('later'), 'approval_requested')).toEqual([]);
    expect(await outputOf(other.session)).toContain('port 8080 token [redacted:secret]');
    await other.send('steal', asking('steal'));
    const stolen = await other.idleAfter('steal');
    expect(ofType(stolen, 'tool_output').at(-1)?.text).not.toContain('port 8080');
    expect(JSON.stringify(stolen)).not.toContain(value);
    const { stdout } = await stage().cli(['grants', 'list']);
    expect(stdout).toMatch(/sh app\.sh\n {2}may read \.env in /);
  });
});

describe('a call that names .env', () => {
  it('is one question before it runs, also in the background [A2] [A6]', async () => {
    const call = { ...run, background: true, secret_files: ['.env'] };
    await using talk = await begin({ go: call });
    await talk.send('go', asking('go'));
    const asked = await talk.answer(ApprovalAnswer.ALLOW_ONCE);
    expect(asked.reason).toContain('allow `sh app.sh` to read .env of this folder?');
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'approval_requested')).toHaveLength(1);
    expect(await outputOf(talk.session)).toContain('port 8080 token [redacted:secret]');
  });

  it.each(['deny', 'allow'])(
    'does not run with --approve %s, which is no answer of a person',
    async (mode) => {
      await stage().model([
        { toolCalls: [{ name: 'bash', args: { ...run, secret_files: ['.env'] } }] },
        { text: 'done' },
      ]);
      const { events } = await stage().cli(['run', '--json', '--approve', mode, 'go']);
      expect(ofType(events, 'tool_output')[0]?.text).toContain(
        'It may not read .env: only a person can allow',
      );
      expect(() => stage().read('runs.txt')).toThrow();
    },
  );
});

describe('a command that reads .env with permission', () => {
  it.each(['.env', '.my.cnf'])(
    '%s makes the session one that has read secrets, and so what it wrote [F1] [F2]',
    async (name) => {
      writeFileSync(join(folder, name), content());
      const hosts = { command: 'curl https://a.test/', hosts: ['a.test'] };
      await using talk = await begin({ go: { command: `sh app.sh ${name} > out.txt` }, out: hosts });
      await talk.send('go', asking('go'));
      await talk.answer(ApprovalAnswer.ALLOW_ONCE);
      const events = await talk.idleAfter('go');
      expect(ofType(events, 'action_completed').map(({ success }) => success)).toEqual([false, true]);
      expect(stage().read('out.txt')).toContain(value);
      const listed = await stage().cli(['ifc', 'list']);
      expect(listed.stdout).toContain('out.txt');
      const { seq = 0 } = events.at(-1) ?? {};
      await talk.send('out', asking('out'));
      const out = await talk.answer(ApprovalAnswer.DENY, seq);
      expect(out.reason).toContain('restricted data was read in this session');
      await talk.settled('out');
    },
  );

  it('shows nothing of it in the usual codings, and is not asked about when it only searches [A7]', async () => {
    const code = {
      command:
        'printf %s "$(. ./.env; echo "$TOKEN")" > /tmp/t; base64 /tmp/t; od -An -tx1 /tmp/t | tr -d " "; cat /tmp/t',
    };
    await using talk = await begin({
      code,
      search: { command: 'grep -r nothing-of-it .' },
    });
    await talk.send('code', asking('code'));
    await talk.answer(ApprovalAnswer.ALLOW_ONCE);
    const events = await talk.idleAfter('code');
    const said = JSON.stringify(events);
    for (const coded of [value, Buffer.from(value).toString('base64'), Buffer.from(value).toString('hex')])
      expect(said).not.toContain(coded);
    await talk.send('search', asking('search'));
    const searched = await talk.idleAfter('search');
    expect(ofType(searched, 'tool_output').at(-1)?.text).toContain('[exit code 1]');
    expect(ofType(searched, 'approval_requested')).toHaveLength(1);
  });
});

describe('a hostile .env', () => {
  const key = () => join(stage().userHome, '.ssh/id_test');
  beforeEach(() => {
    mkdirSync(join(stage().userHome, '.ssh'), { recursive: true });
    writeFileSync(key(), 'canary-of-a-key\n');
  });

  it('that is a link is not offered, and shows nothing of what it leads to [A2]', async () => {
    rmSync(join(folder, '.env'));
    symlinkSync(key(), join(folder, '.env'));
    await using talk = await begin({ go: run });
    await talk.send('go', asking('go'));
    const events = await talk.idleAfter('go');
    expect(ofType(events, 'approval_requested')).toEqual([]);
    expect(JSON.stringify(events)).not.toContain('canary-of-a-key');
  });

  it('that becomes a link between the question and the repetition is not shown [A2]', async () => {
    await using talk = await begin({ go: run });
    await talk.send('go', asking('go'));
    await talk.event('approval_requested');
    renameSync(join(folder, '.env'), join(folder, 'kept.txt'));
    symlinkSync(key(), join(folder, '.env'));
    await talk.answer(ApprovalAnswer.ALLOW_ONCE);
    const events = await talk.idleAfter('go');
    const said = JSON.stringify(events);
    expect(said).toContain('.env is not shown: it is no plain file');
    expect(said).not.toContain('canary-of-a-key');
    expect(readFileSync(key(), 'utf8')).toBe('canary-of-a-key\n');
  });
});
