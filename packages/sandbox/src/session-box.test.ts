import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { SessionSpaces } from './box.ts';
import { keepSession } from './keep-session.ts';
import { eventually, finished } from './testing/box-fixture.ts';
import { useSession } from './testing/use-session.ts';
import { ShellTransaction } from './transaction/shell-transaction.ts';

const hasPython = existsSync('/usr/bin/python3');
const WAIT_MS = 60_000;

const at = useSession();
let scratches = 0;

interface Command {
  /** Absent, it writes the folder directly. */
  readonly overlay?: boolean;
  readonly session?: SessionSpaces;
  readonly deny?: readonly string[];
  readonly leave?: boolean;
}

/** A command of the session, started. */
function start(line: string, { overlay = true, ...changes }: Command = {}) {
  const scratch = `${at.fixture.folder}/session-scratch-${scratches++}`;
  if (overlay) mkdirSync(scratch, { mode: 0o700 });
  const box = at.fixture.shellBox({
    session: at.session,
    ...changes,
    ...(overlay ? { overlay: scratch } : {}),
  });
  const child = at.fixture.sandbox.launch(box, {
    file: '/bin/bash',
    args: ['-c', line],
    cwd: at.fixture.work,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'pipe', ...(overlay ? ['pipe' as const] : [])],
  });
  const control = child.stdio[3];
  const transaction = control instanceof Duplex ? new ShellTransaction(control) : undefined;
  const end = finished(child);
  let said = '';
  child.stdout?.on('data', (text: string) => {
    said += text;
  });
  const saying = (text: string) => eventually(() => said.includes(text), WAIT_MS);
  return { child, transaction, end, scratch, saying, said: () => said };
}

/** A command from its start to its commit. */
async function run(line: string, command: Command = {}) {
  const { transaction, end } = start(line, command);
  const effects = await transaction?.effects;
  await transaction?.settle(true);
  transaction?.close();
  return { ...(await end), effects };
}

/** Listens, and answers with one line. */
const server = (port: number) => `python3 -c '
import socket
s = socket.create_server(("127.0.0.1", ${port})); print("up", flush=True)
while True:
    c, _ = s.accept(); c.sendall(b"from the server\\n"); c.close()'`;
const client = (port: number) => `cat < /dev/tcp/127.0.0.1/${port}`;

describe.runIf(hasPython)('the network of a session', () => {
  it('leads from one command to the server of another, and from no other session and not from the machine', {
    timeout: WAIT_MS,
  }, async () => {
    const port = 20_000 + (process.pid % 10_000);
    const serving = start(server(port));
    expect(await serving.saying('up')).toBe(true);
    expect(await run(client(port))).toMatchObject({ code: 0, stdout: 'from the server\n' });
    using other = await at.fixture.sandbox.keepSession();
    expect(await run(client(port), { session: other })).toMatchObject({ code: 1, stdout: '' });
    const outside = createConnection(port, '127.0.0.1');
    const [error] = await once(outside, 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    serving.child.kill('SIGKILL');
    await serving.end;
    // Nothing of it is left in the network.
    expect(await run(client(port))).toMatchObject({ code: 1, stdout: '' });
  });

  it('shows no process of one command to another, and gives no right over the network', {
    timeout: WAIT_MS,
  }, async () => {
    const sleeping = start('echo up; exec sleep 300');
    expect(await sleeping.saying('up')).toBe(true);
    const { stdout } = await run(
      'cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -c "sle[e]p 300"; ip link add dummy0 type dummy && echo made; true',
    );
    expect(stdout).toBe('0\n');
    sleeping.child.kill('SIGKILL');
    await sleeping.end;
  });

  it('lets no command that writes the folder directly make a unix socket, and others do', async () => {
    // Whatever can send to an address could pass on the folder: all but pairs of streams.
    const line = `python3 -c '
import socket
def tried(name, make):
    try: make(); print(name)
    except PermissionError: pass
pair = lambda kind: lambda: socket.socketpair(socket.AF_UNIX, kind)
for kind in ("STREAM", "DGRAM", "SEQPACKET", "RAW"): tried(kind, pair(getattr(socket, "SOCK_" + kind)))
tried("NONBLOCK", pair(socket.SOCK_STREAM | socket.SOCK_NONBLOCK))
tried("FLAGGED", pair(socket.SOCK_DGRAM | socket.SOCK_NONBLOCK))
tried("socket", lambda: socket.socket(socket.AF_UNIX))'`;
    const all = ['STREAM', 'DGRAM', 'SEQPACKET', 'RAW', 'NONBLOCK', 'FLAGGED', 'socket'];
    expect((await run(line)).stdout.trim().split('\n')).toEqual(all);
    expect((await run(line, { overlay: false })).stdout.trim().split('\n')).toEqual(['STREAM', 'NONBLOCK']);
  });
});

/** Takes descriptors that another command passes, and uses them when it gets a line. */
const NEIGHBOUR = `python3 -c '
import os, socket, sys
s = socket.socket(socket.AF_UNIX); s.bind("\\0neighbour"); s.listen(); print("up", flush=True)
c, _ = s.accept()
_, fds, _, _ = socket.recv_fds(c, 16, 4)
c.sendall(b"taken"); print("taken", flush=True)
for line in sys.stdin:
    folder, file = fds
    try: os.pwrite(file, b"EVIL", 0)
    except OSError as e: print("no", e)
    try:
        f = os.open("planted", os.O_CREAT | os.O_WRONLY, dir_fd=folder); os.write(f, b"evil"); os.close(f)
    except OSError as e: print("no", e)
    try: print("below:", os.read(os.open("secret", os.O_RDONLY, dir_fd=folder), 99))
    except OSError as e: print("closed")
    print("did", flush=True)'`;

/** Writes, then passes its folder and the file. */
const VICTIM = `python3 -c '
import os, socket
file = os.open("result", os.O_CREAT | os.O_RDWR); os.write(file, b"good")
s = socket.socket(socket.AF_UNIX); s.connect("\\0neighbour")
socket.send_fds(s, [b"x"], [os.open(".", os.O_RDONLY), file]); s.recv(5)'`;

describe.runIf(hasPython)('a descriptor that a command passes to another of its session', () => {
  it.each([
    ['before the verdict', true],
    ['after the commit', false],
  ])(
    'changes nothing that is kept, %s, and shows nothing that was hidden',
    {
      timeout: WAIT_MS,
    },
    async (_when, before) => {
      writeFileSync(`${at.fixture.work}/secret`, 'canary');
      const neighbour = start(NEIGHBOUR, { deny: [`${at.fixture.work}/secret`] });
      expect(await neighbour.saying('up')).toBe(true);
      const { transaction, end } = start(VICTIM, { deny: [`${at.fixture.work}/secret`] });
      const effects = await transaction?.effects;
      expect(effects?.problems).toEqual([]);
      expect(effects?.changes.map(({ path }) => Buffer.from(path).toString())).toEqual(['result']);
      const attack = async (): Promise<void> => {
        neighbour.child.stdin?.write('go\n');
        expect(await neighbour.saying('did')).toBe(true);
      };
      if (before) await attack();
      expect(await transaction?.settle(true)).toEqual({ type: 'committed' });
      await end;
      if (!before) await attack();
      expect(readFileSync(`${at.fixture.work}/result`, 'utf8')).toBe('good');
      expect(existsSync(`${at.fixture.work}/planted`)).toBe(false);
      expect(neighbour.said()).not.toContain('canary');
      neighbour.child.kill('SIGKILL');
      await neighbour.end;
    },
  );

  it('delays no command that keeps its own to itself: its changes are not copied', {
    timeout: WAIT_MS,
  }, async () => {
    const { transaction, end, scratch } = start('echo x > made');
    await transaction?.effects;
    expect(existsSync(`${scratch}/held`)).toBe(false);
    await transaction?.settle(true);
    await end;
  });
});

describe.runIf(hasPython)('what a command leaves running', () => {
  const port = 30_000 + (process.pid % 10_000);
  /** Writes the folder when it is asked for the second time, which is after its command. */
  const writing = `python3 -c '
import socket
s = socket.create_server(("127.0.0.1", ${port}))
for asked in range(9):
    c, _ = s.accept(); c.sendall(b"from the server\\n"); c.close()
    if asked == 1: open("later", "w").write("later"); print("wrote", flush=True)'`;
  const leaving = `echo kept > kept; mkfifo pipe; ${writing} & until ${client(port)} > /dev/null 2>&1; do :; done`;

  it('goes on, is reached by the next command, and ends with the channel; only what was there at the end is kept', {
    timeout: WAIT_MS,
  }, async () => {
    const { transaction, child, end, scratch, saying } = start(leaving, { leave: true });
    const effects = await transaction?.effects;
    expect(transaction?.left).toBe(true);
    expect(effects).toMatchObject({ status: 0, problems: [] });
    expect(effects?.changes.map(({ path }) => Buffer.from(path).toString())).toEqual(['kept']);
    expect(effects?.notes.map(({ code }) => code)).toEqual(['special-file']);
    expect(await transaction?.settle(true)).toEqual({ type: 'committed' });
    const next = await run(`${client(port)}; echo now > now`, { leave: true });
    expect(next.stdout).toBe('from the server\n');
    expect(next.effects?.problems).toEqual([]);
    expect(await saying('wrote')).toBe(true);
    expect(child.exitCode).toBeNull();
    transaction?.close();
    await end;
    expect(await run(client(port))).toMatchObject({ code: 1 });
    expect(readdirSync(at.fixture.work).sort()).toEqual(['kept', 'now']);
    expect(readdirSync(scratch)).toEqual(['journal']);
  });

  it('ends with the command where it may not go on, and with the launcher', {
    timeout: WAIT_MS,
  }, async () => {
    const { transaction } = await (async () => {
      const one = start(leaving);
      await one.transaction?.effects;
      await one.transaction?.settle(false);
      await one.end;
      return one;
    })();
    expect(transaction?.left).toBe(false);
    expect(await run(client(port))).toMatchObject({ code: 1 });
    const two = start(leaving, { leave: true });
    await two.transaction?.effects;
    await two.transaction?.settle(true);
    expect((await run(client(port))).code).toBe(0);
    two.child.kill('SIGKILL');
    await two.end;
    expect(await eventually(async () => (await run(client(port))).code === 1, WAIT_MS)).toBe(true);
  });

  it.each([
    ['before the verdict', false, 'dropped'],
    ['after the commit', true, 'committed'],
  ])(
    'dies with a killed launcher %s, which recovery finds as it was',
    { timeout: WAIT_MS },
    async (_when, commit, fate) => {
      const { transaction, child, end, scratch } = start(leaving, { leave: true });
      await transaction?.effects;
      if (commit) await transaction?.settle(true);
      child.kill('SIGKILL');
      await end;
      expect(await at.fixture.sandbox.recover({ work: at.fixture.work, scratch })).toBe(fate);
      expect(readdirSync(at.fixture.work)).toEqual(commit ? ['kept'] : []);
      expect(readdirSync(scratch)).toEqual(commit ? ['journal'] : []);
      expect(await eventually(async () => (await run(client(port))).code === 1, WAIT_MS)).toBe(true);
    },
  );

  it('is nothing if all ends a moment after the command', { timeout: WAIT_MS }, async () => {
    const { transaction, end } = start('sleep 0.02 & disown; echo x > made', { leave: true });
    await transaction?.effects;
    await transaction?.settle(true);
    expect(transaction?.left).toBe(false);
    await end;
  });
});

describe('making the network of a session', () => {
  it('fails with the reason if the launcher does, and leaves no process [FT07]', async () => {
    await expect(keepSession('/bin/false')).rejects.toMatchObject({ code: 'sandbox_unavailable' });
    await expect(keepSession(`${at.fixture.folder}/none`)).rejects.toMatchObject({
      code: 'sandbox_unavailable',
    });
  });
});
