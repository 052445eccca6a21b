import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import type { Stage } from './support/stage.ts';
import { unjudgedCommands } from './support/unjudged-commands.ts';
import { useSharedStage, useStage } from './support/use-stage.ts';

const stage = useSharedStage();

/** Runs commands in the box, one call each and none judged before, and answers what they put out. */
async function boxed(at: Stage, ...commands: readonly string[]): Promise<readonly string[]> {
  const { texts, asked } = await asking(at, ...commands);
  expect(asked).toEqual([]);
  return texts;
}

/** The same, where questions come up: no one answers them. Returns their reasons, too. */
async function asking(at: Stage, ...commands: readonly string[]) {
  await at.model(
    [{ toolCalls: commands.map((command) => ({ name: 'bash', args: { command } })) }, { text: 'done' }],
    { config: unjudgedCommands(at) },
  );
  const { code, events } = await at.cli(['run', '--json', 'go'], { env: { E2E_CANARY: 'canary' } });
  expect(code).toBe(0);
  expect(ofType(events, 'action_started')).toHaveLength(commands.length);
  const asked = ofType(events, 'approval_requested').map(({ reason }) => reason);
  return { texts: ofType(events, 'tool_output').map(({ text }) => text), asked };
}

describe('a shell command in its box', () => {
  it('works in the working folder, with an environment of its own [B2]', async () => {
    const [folder, environment] = await boxed(stage(), 'pwd; echo made > made.txt; cat made.txt', 'env');
    expect(folder).toContain(stage().folder);
    expect(folder).toContain('made');
    expect(stage().read('made.txt')).toBe('made\n');
    expect(environment).toContain('HOME=/home/bulkhead');
    expect(environment).not.toContain('canary');
    expect(environment).not.toContain('BULKHEAD');
  });

  it('lets git know who commits, and takes looking for no change', async () => {
    writeFileSync(
      join(stage().userHome, '.gitconfig'),
      '[user]\n\tname = Ada Example\n\temail = ada@example.org\n',
    );
    const git = (...args: readonly string[]) => execFileSync('git', ['-C', stage().folder, ...args]);
    git('init', '-q');
    stage().write('a.txt', 'a\n');
    const [committed, looked] = await boxed(
      stage(),
      'git add a.txt && git commit -qm first && git log -1 --format="%an <%ae>, %cn"',
      'touch -d "2020-01-01" a.txt; git status --short; echo looked',
    );
    expect(committed).toContain('Ada Example <ada@example.org>, Ada Example\n');
    expect(git('log', '--format=%s').toString()).toBe('first\n');
    expect(looked).not.toContain('.git');
  });

  it('reports which files are hidden from it, what it leaves behind, and that it reaches no server', async () => {
    stage().write('.env', 'SECRET=s3cr3t-value');
    const [hidden, left, refused] = await boxed(
      stage(),
      'cat .env; echo read',
      'sleep 30 & echo x > /tmp/note',
      'exec 3<>/dev/tcp/localhost/1',
    );
    expect(hidden).toMatch(
      /read\n\[needs the file \.env, .*\n\[\.env: may hold credentials, so commands see it empty/,
    );
    expect(left).toMatch(/\[what it wrote to its home or to \/tmp is kept .*\]/);
    expect(left).toMatch(/\n\[what still runs goes on as [^ ]+-left: process_stop ends it/);
    expect(refused).toMatch(
      /\[the commands of a session have a network of their own, .*not even on localhost/,
    );
  });

  it('has no network, not even to this machine [B2, D5]', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const control = connect(port ?? 0, '127.0.0.1');
      await once(control, 'close');
      expect(connections).toBe(1);
      const [answer, interfaces] = await boxed(
        stage(),
        `exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected || echo refused`,
        'cat /proc/net/route | wc -l; cat /proc/net/dev',
      );
      expect(answer).toContain('refused');
      expect(interfaces).toMatch(/^[01]\n/);
      expect(interfaces).not.toMatch(/eth|enp|wlan/);
      expect(connections).toBe(1);
    } finally {
      server.close();
    }
  });

  it('sees neither the home of the person, nor that of Bulkhead, nor /tmp [B2, D5]', async () => {
    writeFileSync(join(stage().userHome, 'diary.txt'), 'dear diary');
    const mark = `bulkhead-e2e-mark-${process.pid}`;
    const [home, engine, temporary] = await boxed(
      stage(),
      `ls -A ~ | wc -l; cat ${stage().userHome}/diary.txt; ls ${stage().userHome}`,
      `cat ${stage().layout.token}; ls -A ${stage().layout.root} ${stage().layout.state}; cat ${stage().layout.config}`,
      `touch /tmp/${mark} && ls -A /tmp`,
    );
    expect(home).toMatch(/^0\n/);
    expect(home).not.toContain('dear diary');
    expect(home).not.toMatch(/^diary\.txt$/m);
    expect(engine).not.toContain(readFileSync(stage().layout.token, 'utf8'));
    expect(engine).not.toContain('baseUrl');
    // The folder of git settings is shown, and so the names of the folders around it.
    const seen = (engine ?? '').split('\n').filter((line) => /^[\w.-]+$/.test(line));
    expect(seen.filter((name) => name !== 'state' && name !== 'git-settings')).toEqual([]);
    expect(temporary).toContain(mark);
    expect(readdirSync('/tmp')).not.toContain(mark);
  });

  it('finds credentials of the folder hidden; what it does to hooks and settings of git is not kept [A2, B2]', async () => {
    stage().write('.env', 'SECRET=s3cr3t-value');
    stage().write('.git/hooks/pre-commit.sample', 'sample');
    stage().write('.git/config', '[core]\n');
    const { texts, asked } = await asking(
      stage(),
      'cat .env; cat < .env; grep -r s3cr3t . ; true',
      'cat .git/hooks/pre-commit.sample; echo evil > .git/hooks/pre-commit || echo refused',
      'echo evil >> .git/config || echo refused',
      'echo fine > plain.txt && cat plain.txt',
    );
    const [secret, hooks, config, plain] = texts;
    expect(asked).toEqual([
      '.git/hooks/pre-commit is a hook, a program that git runs: evil',
      '.git/config would say: core.evil',
    ]);
    expect(secret).not.toContain('s3cr3t-value');
    expect(hooks).toContain('sample');
    expect(hooks).toContain('nothing it changed was kept');
    expect(readdirSync(join(stage().folder, '.git/hooks'))).toEqual(['pre-commit.sample']);
    expect(config).toContain('nothing it changed was kept');
    expect(stage().read('.git/config')).toBe('[core]\n');
    expect(plain).toContain('fine');
    expect(stage().read('.env')).toBe('SECRET=s3cr3t-value');
  });

  it('with hosts ends at its time limit with all it started, and says so [B2]', async () => {
    const hosts = ['example.com'];
    const args = { command: 'echo before; sleep 300 & sleep 301', timeout_seconds: 1, hosts };
    await stage().model([{ toolCalls: [{ name: 'bash', args }] }, { text: 'done' }], {
      config: unjudgedCommands(stage()),
    });
    const { events } = await stage().cli(['run', '--json', '--approve', 'allow', 'go']);
    const [output] = ofType(events, 'tool_output');
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining('before') });
    expect(output?.text).toMatch(/1 s|1 second/);
    expect(output?.text).toContain('could not go on in the background: its `hosts`');
  });

  it('can’t make git obey anything new [A2, B2]', async () => {
    stage().write('.git/HEAD', 'ref: refs/heads/main');
    const { texts, asked } = await asking(
      stage(),
      'echo ../evil > .git/commondir',
      'mkdir deep && cd deep && git init -q . && echo evil > .git/hooks/post-checkout',
      'echo fine',
    );
    const [common, own] = texts;
    expect(asked).toHaveLength(2);
    expect(common).toContain('commondir would lead git to other settings: ../evil');
    expect(own).toContain('deep/.git/hooks/post-checkout is a hook, a program that git runs: evil');
    expect(readdirSync(join(stage().folder, '.git'))).toEqual(['HEAD']);
    expect(readdirSync(stage().folder)).toEqual(['.git']);
  });
});

/** By the policy that a first start writes. */
describe('a shell command in its box', () => {
  const stage = useStage();

  it('can’t re-aim the folder of another session [A2]', async () => {
    stage().write('sub/own.txt', 'own');
    await stage().model([
      { text: 'hi' },
      { toolCalls: [{ name: 'bash', args: { command: 'mv sub moved && ln -s /etc sub' } }] },
      { text: 'not moved' },
      { toolCalls: [{ name: 'bash', args: { command: 'cat passwd' } }] },
      { text: 'done' },
    ]);
    const inSub = await stage().cli(['run', '--json', '--cwd', join(stage().folder, 'sub'), 'say hi']);
    expect([inSub.code, inSub.stderr]).toEqual([0, '']);
    const [{ session } = { session: '' }] = inSub.events;
    expect((await stage().cli(['run', 'move it'])).code).toBe(3);
    expect(stage().read('sub/own.txt')).toBe('own');
    // Somebody who may.
    renameSync(join(stage().folder, 'sub'), join(stage().folder, 'moved'));
    symlinkSync('/etc', join(stage().folder, 'sub'));
    const { events } = await stage().cli(['run', '--json', '--session', session, 'go on']);
    const [output] = ofType(events, 'tool_output');
    expect(output).toMatchObject({ isError: true });
    expect(output?.text).not.toContain('root:');
    expect(output?.text).toContain('not the folder this session was started in');
  });
});
