import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { ApprovalAnswer } from '@bulkhead/protocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { auditLines } from './support/audit-steps.ts';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType } from './support/event-lines.ts';
import { asking, Talk } from './support/talk.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';
import { sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();

/** Runs one command with no one to ask. */
async function run(command: string, ...args: readonly string[]) {
  await stage().model([{ toolCalls: [bash(command)] }, { text: 'done' }]);
  const { code, events } = await stage().cli(['run', '--json', ...args, 'go']);
  const [output] = ofType(events, 'tool_output');
  const [completed] = ofType(events, 'action_completed');
  return { code, events, text: output?.text ?? '', completed };
}

describe('a command without hosts', () => {
  it('is refused at once, and its result names what it needs [B4]', async () => {
    const { text, completed } = await run('curl -sS -m 50 https://registry.test/a 2>&1');
    // 56: the proxy's refusal; 28 would be the time limit, 6 an unknown name.
    expect(text).toContain('[exit code 56]');
    expect(text).toContain('[needs network: registry.test:443.');
    expect(completed?.needs).toEqual([{ kind: 'hosts', target: 'registry.test:443' }]);
  });

  it('that goes on without the host has no need, and its result says so', async () => {
    const { text, completed } = await run('curl -sS -m 50 https://updates.test/ 2>&1 || echo went on');
    expect(text).toContain('[it asked for updates.test:443, which it may not reach, and went on without]');
    expect(completed).not.toHaveProperty('needs');
  });

  it("needs no host that the user's settings close, and its result says why it was refused", async () => {
    const { text, completed } = await run('curl -fsS -m 50 http://plain.test/ 2>&1');
    expect(text).toContain('[refused: plain.test would be spoken to without encryption');
    expect(completed).not.toHaveProperty('needs');
  });
});

/** An address of this machine that no proxy setting leaves out. */
const ADDRESS = '127.0.0.2';
let server: Server;
let place: string;
/** The paths that were asked for. */
let fetched: string[] = [];

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    fetched.push(url);
    response.end(`${'a'.repeat(40)}\trefs/heads/main\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, ADDRESS, resolve));
  const address = server.address();
  place = `${ADDRESS}:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Each run of it leaves a line in `runs.txt`, if it is kept. */
const fetching = (path = 'pkg') => `echo ran >> runs.txt; curl -fsS -m 50 http://${place}/${path} -o pkg.txt`;

/** A session, and a model that runs the command of each message, if it is one of these. */
async function begin(...commands: readonly string[]) {
  fetched = [];
  let rounds = 0;
  await stage().model(
    (request) => {
      const { role, text = '' } = sentMessages(request).at(-1) ?? {};
      const isCommand = role === 'user' && commands.includes(text);
      if (!isCommand && role !== 'tool') return { text: 'a title' };
      rounds += 1;
      return isCommand ? { toolCalls: [bash(text)] } : { text: 'done' };
    },
    { config: `tools: { web: { allowPrivate: ['${place}'] } }` },
  );
  return { rounds: () => rounds, talk: await Talk.begin(stage()) };
}

const grantsSchema = z.array(
  z.object({
    grantId: z.string(),
    folder: z.string(),
    targets: z.array(z.string()),
    pattern: z.string(),
    scope: z.string(),
  }),
);

describe('a command that failed for a host', () => {
  it('is one question, and runs again without another model round once it is allowed [A6] [B4]', async () => {
    const { rounds, talk: opened } = await begin(fetching());
    await using talk = opened;
    await talk.send('go', asking(fetching()));
    const asked = await talk.answer(ApprovalAnswer.ALLOW_ONCE);
    expect(asked.reason).toContain(`to reach ${place}?`);
    expect(asked.shown).toContain(`needs network: ${place}`);
    expect(asked.scopes).toEqual(['once', 'session']);
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    const [first, second, ...more] = ofType(events, 'action_started');
    expect([second?.repeats, more]).toEqual([first?.action, []]);
    expect(ofType(events, 'action_completed').map(({ success }) => success)).toEqual([false, true]);
    expect(ofType(events, 'action_completed')[1]?.reached).toEqual([place]);
    expect(ofType(events, 'tool_output').map(({ text }) => text)).toEqual([
      expect.stringContaining('[it was run again, after the user allowed what it lacked]'),
    ]);
    expect(rounds()).toBe(2);
    // The first attempt left nothing.
    expect(stage().read('runs.txt')).toBe('ran\n');
    expect(fetched).toEqual(['/pkg']);
    const granted = auditLines(stage()).filter(
      ({ step, session }) => step === 'APPROVED' && session === talk.session,
    );
    expect(granted.map(({ details }) => details)).toEqual([
      expect.objectContaining({ about: 'needs', targets: [place], scope: 'once' }),
    ]);
  });

  it('is asked about again when it was allowed once, and not in the session that allows it', async () => {
    const { talk: opened } = await begin(fetching('1'), fetching('2'));
    await using talk = opened;
    await talk.send('a', asking(fetching('1')));
    const first = await talk.answer(ApprovalAnswer.ALLOW_ONCE);
    await talk.settled('a');
    await talk.send('b', asking(fetching('1')));
    const second = await talk.answer(ApprovalAnswer.ALLOW_SESSION, first.seq);
    await talk.settled('b');
    await talk.send('c', asking(fetching('1')));
    await talk.settled('c');
    // Another command is another question.
    await talk.send('d', asking(fetching('2')));
    await talk.answer(ApprovalAnswer.DENY, second.seq);
    const events = await talk.idleAfter('d');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'approval_requested')).toHaveLength(3);
    expect(fetched).toEqual(['/1', '/1', '/1']);
  });

  it('that fetches with one program may be allowed for the folder, in other sessions too', async () => {
    const list = `git ls-remote http://${place}/a.git`;
    const { talk: opened } = await begin(list, `${list}x`, `true; ${list}`);
    await using talk = opened;
    await talk.send('a', asking(list));
    const asked = await talk.answer(ApprovalAnswer.ALLOW_ALWAYS);
    expect(asked.rule).toBe(`grant for every \`git ls-remote\` in ${stage().folder} to reach ${place}`);
    await talk.settled('a');
    await using other = await Talk.begin(stage());
    await other.send('b', asking(`${list}x`));
    await other.settled('b');
    expect(ofType(other.events, 'approval_requested')).toEqual([]);
    expect(fetched.filter((url) => url.startsWith('/a.gitx'))).not.toEqual([]);
    // Not one straight command: the permission does not cover it.
    await other.send('c', asking(`true; ${list}`));
    await other.answer(ApprovalAnswer.DENY);
    expect(grammarProblems(await other.idleAfter('c'))).toEqual([]);
  });

  it('is asked about again once the permission is revoked [A6]', async () => {
    const list = `git ls-remote http://${place}/b.git`;
    const { talk: opened } = await begin(list);
    await using talk = opened;
    await talk.send('a', asking(list));
    const first = await talk.answer(ApprovalAnswer.ALLOW_ALWAYS);
    await talk.settled('a');
    const grants = async () =>
      grantsSchema.parse(JSON.parse((await stage().cli(['grants', 'list', '--json'])).stdout));
    const grant = (await grants()).find(({ folder }) => folder === stage().folder);
    expect(grant).toMatchObject({ targets: [place], pattern: 'git ls-remote', scope: 'folder' });
    const revoked = await stage().cli(['grants', 'revoke', grant?.grantId ?? '']);
    expect([revoked.code, revoked.stdout]).toEqual([0, `revoked ${grant?.grantId}\n`]);
    expect((await grants()).map(({ grantId }) => grantId)).not.toContain(grant?.grantId);
    expect(auditLines(stage()).map(({ step }) => step)).toContain('GRANT_REVOKED');
    await talk.send('b', asking(list));
    await talk.answer(ApprovalAnswer.DENY, first.seq);
    expect(grammarProblems(await talk.idleAfter('b'))).toEqual([]);
  });

  it('keeps what it changed when it is denied, and reaches nothing', async () => {
    const { talk: opened } = await begin(fetching());
    await using talk = opened;
    await talk.send('go', asking(fetching()));
    await talk.answer(ApprovalAnswer.DENY);
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'action_started')).toHaveLength(1);
    expect(stage().read('runs.txt')).toBe('ran\n');
    expect([fetched, existsSync(join(stage().folder, 'pkg.txt'))]).toEqual([[], false]);
  });

  it.each(['deny', 'allow'])('is granted nothing where no one is asked: --approve %s', async (mode) => {
    fetched = [];
    await stage().model([{ toolCalls: [bash(fetching())] }, { text: 'done' }], {
      config: `tools: { web: { allowPrivate: ['${place}'] } }`,
    });
    const { events } = await stage().cli(['run', '--json', '--approve', mode, 'go']);
    expect(ofType(events, 'approval_requested')).toEqual([]);
    expect(ofType(events, 'tool_output')[0]?.text).toContain(`[needs network: ${place}`);
    expect(fetched).toEqual([]);
  });
});

describe('a command that does not find a program of the home folder', () => {
  it('is one question that names the folder, runs again with it, and keeps it for the folder [A6] [A2]', async () => {
    const { userHome } = stage();
    const put = (path: string, text: string) => {
      mkdirSync(join(userHome, dirname(path)), { recursive: true, mode: 0o755 });
      writeFileSync(join(userHome, path), text, { mode: 0o755 });
    };
    put('.ssh/id_test', 'canary');
    put('.tools/lib/greeting', 'hello');
    put('.tools/lib/.netrc', 'canary');
    put(
      '.tools/bin/greet',
      '#!/bin/sh\ncd "$(dirname "$(readlink -f "$0")")/../lib" && cat greeting .netrc\n',
    );
    put(
      '.tools/bin/plant',
      '#!/bin/sh\ncd "$(dirname "$(readlink -f "$0")")"; echo x > new; cat ../../.ssh/*\n',
    );
    mkdirSync(join(userHome, '.local/bin'), { recursive: true, mode: 0o755 });
    for (const name of ['greet', 'plant'])
      symlinkSync(`../../.tools/bin/${name}`, join(userHome, `.local/bin/${name}`));
    symlinkSync('../../.ssh/id_test', join(userHome, '.local/bin/steal'));
    chmodSync(join(userHome, '.ssh/id_test'), 0o755);
    const greet = 'echo ran >> runs.txt; greet';
    const attack = 'greet; steal; plant';
    const { talk: opened } = await begin(greet, attack);
    await using talk = opened;
    await talk.send('a', asking(greet));
    const asked = await talk.answer(ApprovalAnswer.ALLOW_ALWAYS);
    const folders = `${userHome}/.local/bin, ${userHome}/.tools`;
    expect(asked.reason).toContain(`read and run programs in ${folders}?`);
    expect(asked.shown).toContain(`needs the toolchain folder: ${folders}`);
    expect(asked.scopes).toEqual(['once', 'session', 'always']);
    const events = await talk.idleAfter('a');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'action_completed').map(({ success }) => success)).toEqual([false, true]);
    expect(ofType(events, 'tool_output').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^hello\n?\[/),
    ]);
    expect(stage().read('runs.txt')).toBe('ran\n');
    const granted = auditLines(stage()).filter(
      ({ step, session }) => step === 'APPROVED' && session === talk.session,
    );
    expect(granted.map(({ details }) => details)).toEqual([
      expect.objectContaining({ about: 'needs', kind: 'toolchain', scope: 'always' }),
    ]);
    // In another session of the folder: unasked, read-only, and without keys, whatever leads to them.
    await using other = await Talk.begin(stage());
    await other.send('b', asking(attack));
    const later = await other.idleAfter('b');
    expect(ofType(later, 'approval_requested')).toEqual([]);
    const [output] = ofType(later, 'tool_output');
    expect(output?.text).toMatch(/^hello.*steal: command not found.*new: Read-only file system/s);
    expect(output?.text).not.toContain('canary');
    expect(existsSync(join(userHome, '.tools/bin/new'))).toBe(false);
  });
});
