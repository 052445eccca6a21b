import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launcherArguments } from './launcher-arguments.ts';
import {
  type BoxFixture,
  boxFixture,
  eventually,
  type Finished,
  finished,
  inShell,
} from './testing/box-fixture.ts';

let fixture: BoxFixture;
let proxy: Server;
const heard: string[] = [];
beforeAll(async () => {
  fixture = await boxFixture();
  proxy = createServer({ allowHalfOpen: true }, echo).listen(`${fixture.folder}/proxy.sock`);
  await once(proxy, 'listening');
});
afterAll(async () => {
  proxy.close();
  await fixture[Symbol.asyncDispose]();
});

/** Echoes its input, and ends when the other side has. */
function echo(socket: Socket): void {
  socket.on('error', () => {});
  socket.on('data', (bytes: Buffer) => heard.push(bytes.toString('latin1')));
  socket.pipe(socket);
}

function inBox(line: string): Promise<Finished> {
  const box = fixture.shellBox();
  const args = launcherArguments({
    mode: 'run',
    box,
    parent: process.pid,
    descriptors: 3,
    cwd: fixture.work,
    runtimeFiles: [],
    command: ['/bin/bash', '-c', line],
    extra: ['--egress', `${fixture.folder}/proxy.sock`],
  });
  return finished(
    spawn(fixture.launcherPath, args, { env: { PATH: '/usr/bin:/bin' }, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
}

const HELLO = `exec 3<>/dev/tcp/127.0.0.1/3128 && printf 'hello\\n' >&3 && head -1 <&3`;

describe('the way out of a shell box', () => {
  it('is not there unless the command was granted one', async () => {
    const run = await inShell(fixture, HELLO);
    expect([run.code, run.stdout]).toEqual([1, '']);
  });

  it('leads to the proxy, both ways [B4]', async () => {
    const run = await inBox(HELLO);
    expect(run).toMatchObject({ code: 0, stdout: 'hello\n' });
  });

  it('carries many connections and much data at once', async () => {
    const one = `(exec 3<>/dev/tcp/127.0.0.1/3128; head -c 1000000 /dev/zero >&3 & exec 4<&3; head -c 1000000 <&4 | wc -c)`;
    const run = await inBox(`${Array.from({ length: 8 }, () => `${one} &`).join(' ')} wait`);
    expect(run.stdout).toBe('1000000\n'.repeat(8));
  });

  it('leads nowhere else: no other port, no address outside, no name [FT32]', async () => {
    const listener = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const address = listener.address();
    const port = typeof address === 'object' ? address?.port : 0;
    let connections = 0;
    listener.on('connection', () => {
      connections += 1;
    });
    const run = await inBox(
      `for to in 127.0.0.1/${port} 192.0.2.1/80 example.org/80; do (exec 3<>/dev/tcp/$to) 2>/dev/null && echo reached $to; done; getent hosts example.org; echo done`,
    );
    listener.close();
    expect(run.stdout).toBe('done\n');
    expect(connections).toBe(0);
  });

  it('is at the address of its number, and says so if another process of the session has it', async () => {
    using session = await fixture.sandbox.keepSession();
    const at = (address: string, port: number, line: string): Promise<Finished> => {
      const [, ...bytes] = address.split('.').map(Number);
      const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0) * 65_536 + port;
      const egress = `${fixture.folder}/proxy.sock`;
      return finished(
        fixture.sandbox.launch(fixture.shellBox({ session, egress, egressNumber: number }), {
          file: '/bin/bash',
          args: ['-c', line],
          cwd: fixture.work,
          env: { PATH: '/usr/bin:/bin' },
          stdio: ['pipe', 'pipe', 'pipe'],
        }),
      );
    };
    const hello = (place: string) => HELLO.replace('127.0.0.1/3128', place);
    expect(await at('127.200.3.4', 23_456, hello('127.200.3.4/23456'))).toMatchObject({ stdout: 'hello\n' });
    expect((await at('127.200.3.4', 23_456, hello('127.0.0.1/3128'))).code).toBe(1);
    const here = hello('127.200.3.4/23456');
    const holder = at('127.200.3.4', 23_456, `${here}; echo up > up; until [ -e end ]; do read -t 0.1; done`);
    expect(await eventually(() => existsSync(`${fixture.work}/up`), 60_000)).toBe(true);
    const late = await at('127.200.3.4', 23_456, 'echo ran');
    writeFileSync(`${fixture.work}/end`, '');
    await holder;
    expect(late).toMatchObject({ code: 125, stdout: '' });
    expect(late.stderr).toContain('another process of the session has the address of the way out');
  });

  it('ends with the command', async () => {
    const before = heard.length;
    const run = await inBox('exit 0');
    expect(run.code).toBe(0);
    expect(heard.length).toBe(before);
  });
});
