import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShellBox } from '../box.ts';
import {
  type BoxFixture,
  boxFixture,
  type Finished,
  finished,
  unboxedShell,
} from '../testing/box-fixture.ts';
import { bubblewrapArguments } from './bubblewrap-arguments.ts';
import { type BubblewrapShell, bubblewrapShell } from './launch-in-bubblewrap.ts';

const bubblewrapPath = '/usr/bin/bwrap';
const works = spawnSync(bubblewrapPath, ['--unshare-user', '--ro-bind', '/', '/', '/bin/true']).status === 0;

let fixture: BoxFixture;
let shell: BubblewrapShell;
beforeAll(async () => {
  fixture = await boxFixture();
  shell = bubblewrapShell({ bubblewrapPath, launcherPath: fixture.launcherPath, scratch: fixture.folder });
  mkdirSync(`${fixture.work}/.git/hooks`, { recursive: true });
  for (const name of ['.env', 'file']) writeFileSync(`${fixture.work}/${name}`, 'canary');
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

function inBox(line: string): Promise<Finished> {
  const box: ShellBox = fixture.shellBox({
    protect: [`${fixture.work}/.git`],
    hide: [`${fixture.work}/.env`],
  });
  return finished(
    shell.launch(box, {
      file: '/bin/bash',
      args: ['-c', line],
      cwd: fixture.work,
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

describe.skipIf(!works)('a shell box made by bwrap', () => {
  it('runs a command that reads and writes the working folder', async () => {
    const run = await inBox('cat file; echo new > made; exit 3');
    expect(run).toMatchObject({ code: 3, stdout: 'canary' });
    expect(readFileSync(`${fixture.work}/made`, 'utf8')).toBe('new\n');
  });

  it('keeps secrets, other folders, hooks and hidden files from it [FR3]', async () => {
    const attack = `cat ${fixture.secret}; ls ${fixture.outside}; cat .env; echo x > .git/hooks/pre-commit; echo x > /usr/x; cat /etc/shadow`;
    expect((await unboxedShell(fixture, `cat ${fixture.secret} .env`)).stdout).toContain('canarycanary');
    const run = await inBox(attack);
    expect(run.stdout).toBe('');
    expect(existsSync(`${fixture.work}/.git/hooks/pre-commit`)).toBe(false);
  });

  it('gives it no network and no other process to see or signal', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    let connections = 0;
    listener.on('connection', () => {
      connections += 1;
    });
    const address = listener.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const run = await inBox(
      `exec 3<>/dev/tcp/127.0.0.1/${port}; ls /proc | grep -c '^[0-9]'; kill -0 ${process.pid}`,
    );
    listener.close();
    expect(connections).toBe(0);
    expect(Number(run.stdout)).toBeLessThan(6);
    expect(run.code).not.toBe(0);
  });

  it('refuses new name spaces, tracing and the kernel’s wide surfaces, as the launcher’s does', async () => {
    const run = await inBox('unshare -Ur true; grep -E "Seccomp:|NoNewPrivs|CapEff" /proc/self/status; env');
    expect(run.stderr).toContain('unshare');
    expect(run.stdout.replace(/\s+/g, ' ')).toMatch(/CapEff: 0+ NoNewPrivs: 1 Seccomp: 2 /);
    expect(run.stdout).not.toContain('NODE_');
  });

  it('dies with the child that was returned', async () => {
    const child = shell.launch(fixture.shellBox(), {
      file: '/bin/bash',
      args: [
        '-c',
        '(setsid bash -c "while :; do echo x >> beat; sleep 0.02; done" &); until [ -s beat ]; do sleep 0.01; done; echo started; sleep 600',
      ],
      cwd: fixture.work,
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    if (child.stdout === null) throw new Error('no output');
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const size = readFileSync(`${fixture.work}/beat`, 'utf8').length;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(readFileSync(`${fixture.work}/beat`, 'utf8').length).toBe(size);
  });
});

describe('the command line for bwrap', () => {
  const limits = { maxProcesses: 8, maxFileBytes: 2048, maxOpenFiles: 16 };
  const box: ShellBox = {
    kind: 'shell',
    workingFolder: '/w',
    home: '/h',
    readOnly: ['/r'],
    protect: ['/w/.git'],
    hide: ['/w/k', '/w/s'],
    limits,
  };

  it('shows what is hidden last, over everything else', () => {
    const args = bubblewrapArguments({
      box,
      systemPaths: [{ path: '/bin', kind: 'link', target: 'usr/bin' }],
      within: [
        { path: '/w/.git', kind: 'folder' },
        { path: '/w/k', kind: 'file' },
        { path: '/w/s', kind: 'folder' },
      ],
      cwd: '/w',
      filterDescriptor: 3,
      command: ['/bin/true', '--', 'a b'],
    }).join(' ');
    expect(args).toContain('--symlink usr/bin /bin');
    expect(args).toMatch(
      /--bind \/w \/w .*--ro-bind \/w\/\.git \/w\/\.git .*--ro-bind \/dev\/null \/w\/k .*--tmpfs \/w\/s --remount-ro \/w\/s --remount-ro \//,
    );
    expect(args).toMatch(/ulimit -c 0 -u 8 -f 2 -n 16 && exec "\$@" bash \/bin\/true -- a b$/);
  });

  it('takes absolute paths only', () => {
    const request = {
      box: { ...box, workingFolder: 'w' },
      systemPaths: [],
      within: [],
      cwd: '/w',
      filterDescriptor: 3,
      command: ['/bin/true'],
    };
    expect(() => bubblewrapArguments(request)).toThrow('Not an absolute path: "w"');
  });
});
