import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BulkheadError, homeLayout, type SettleCommand, systemTimers } from '@bulkhead/protocol';
import { createSandbox, locateLauncher } from '@bulkhead/sandbox';
import { createRedaction } from '@bulkhead/shield';
import { BackgroundCommands, createProcessHost } from '@bulkhead/tools';
import { testCall } from '@bulkhead/tools/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairPlaces } from '../pools/fair-places.ts';
import { closedEgress } from '../testing/closed-egress.ts';
import { noneShown } from '../testing/none-beside.ts';
import { FolderQueue } from '../transactions/folder-queue.ts';
import { ScratchLedger } from '../transactions/scratch-ledger.ts';
import { boxedShell } from './boxed-shell.ts';
import { Placeholders } from './placeholders.ts';
import { SessionNetworks } from './session-networks.ts';

let root: string;
let work: string;
let background: BackgroundCommands;
const signal = new AbortController().signal;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-background-')));
  work = join(root, 'work');
  for (const name of ['work/.git', 'home', 'run', 'temp/tmp', 'temp/var-tmp', 'temp/shm'])
    mkdirSync(join(root, name), { recursive: true });
  background = new BackgroundCommands();
});
afterEach(async () => {
  await background.close();
  rmSync(root, { recursive: true, force: true });
});

function shell() {
  const layout = homeLayout(join(root, 'home'));
  mkdirSync(layout.scratch, { recursive: true });
  const sandbox = createSandbox({
    launcherPath: locateLauncher(join(import.meta.dirname, '../../../sandbox')),
    nodePath: process.execPath,
    runtimeFiles: [],
    nameSpaces: { agent: false, worker: false },
    scratch: root,
  });
  return boxedShell({
    sandbox,
    layout,
    folders: { check: () => {} },
    box: { kind: 'overlay', launch: (box, program) => sandbox.launch(box, program) },
    environment: {},
    roots: { of: () => undefined, remarks: () => [] },
    ...noneShown,
    protectedFiles: { linked: async () => new Map<string, number>(), shownIn: () => [] },
    networks: new SessionNetworks(sandbox, systemTimers),
    openEgress: closedEgress(join(root, 'run')),
    queue: new FolderQueue(),
    places: new FairPlaces({
      places: 1,
      timers: systemTimers,
      waitMs: 1_000,
      full: () => new BulkheadError('overloaded', 'full'),
    }),
    ledger: new ScratchLedger(layout.scratch, sandbox),
    background,
    views: { of: () => Promise.resolve({ kind: 'overlay' }) },
    placeholders: new Placeholders(join(root, 'placeholders')),
    timers: systemTimers,
    redaction: createRedaction([]),
    boxFolders: {
      enter: async () => ({
        kept: { temp: join(root, 'temp') },
        remarks: () => [],
        [Symbol.dispose]: () => {},
      }),
    },
    gitSettings: () => Promise.resolve(undefined),
  });
}

function run(args: unknown, actionId: string) {
  const call = testCall('bash', args, { actionId, workingFolder: work });
  return shell().execute(
    call,
    () => {},
    signal,
    async () => ({ commit: true }),
  );
}

/** Waits for a file that may still be empty. */
async function appears(path: string): Promise<string> {
  const text = () => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  for (let tries = 0; tries < 300 && text() === ''; tries += 1) await delay(20);
  return text();
}

/** Listens; its own output comes only when something asks it. */
const SERVER = `python3 -c '
import socket
s = socket.create_server(("127.0.0.1", 8123)); open("up", "w")
while True:
    c, _ = s.accept(); print("asked", flush=True); c.sendall(b"from the server\\n"); c.close()'`;

describe.runIf(existsSync('/usr/bin/python3'))('a server that a command leaves running', () => {
  const call = (command: string, actionId: string) =>
    testCall('bash', { command }, { workingFolder: work, actionId });
  const settle = async () => ({ commit: true }) as const;

  it('goes on, is reached by the next command, and is stopped by its id [B2]', {
    timeout: 60_000,
  }, async () => {
    const host = shell();
    const said = await host.execute(
      call(`${SERVER} & until [ -e up ]; do sleep 0.05; done; echo begun`, 'one'),
      () => {},
      signal,
      settle,
    );
    expect(said).toMatchObject({ isError: false, text: expect.stringContaining('goes on as one-left') });
    expect(said.text).toMatch(/^begun\n/);
    expect(existsSync(join(work, 'up'))).toBe(true);
    const asked = await host.execute(call('cat < /dev/tcp/127.0.0.1/8123', 'two'), () => {}, signal, settle);
    expect(asked.text).toBe('from the server\n');
    const [left] = background.list();
    if (left === undefined) throw new Error('it is not listed');
    expect(left).toMatchObject({ id: 'one-left', ended: undefined });
    while (!existsSync(left.outputPath)) await delay(20);
    expect(await background.stop('one-left')).toMatchObject({ command: { id: 'one-left' } });
    expect(readFileSync(left.outputPath, 'utf8')).toBe('asked\n');
    const after = await host.execute(
      call('cat < /dev/tcp/127.0.0.1/8123', 'three'),
      () => {},
      signal,
      settle,
    );
    expect(after.isError).toBe(true);
  });

  it('ends with a command that is not kept', { timeout: 60_000 }, async () => {
    const host = shell();
    const said = await host.execute(
      call(`${SERVER} & until [ -e up ]; do sleep 0.05; done`, 'one'),
      () => {},
      signal,
      async () => ({ commit: false, reason: 'no' }) as const,
    );
    expect(said.text).toContain('what still ran was ended with it');
    expect(background.list()).toEqual([]);
    const asked = await host.execute(call('cat < /dev/tcp/127.0.0.1/8123', 'two'), () => {}, signal, settle);
    expect(asked.isError).toBe(true);
  });
});

describe('a background command in its box', { timeout: 120_000 }, () => {
  const until = (name: string) => `until [ -e ${name} ]; do sleep 0.05; done`;
  const stop = (id: string, settle: SettleCommand) => {
    const host = createProcessHost(background);
    return host.execute(testCall('process_stop', { id }, { workingFolder: work }), () => {}, signal, settle);
  };

  it('changes nothing until it is stopped, delays no one, and is judged as any command then [B2]', async () => {
    writeFileSync(join(work, '.git/config'), 'mine');
    writeFileSync(join(work, 'both'), 'before');
    const command = `echo x > .git/config; echo its > both; echo live > served; > /tmp/up; sleep 600`;
    const begun = await run({ command, background: true }, 'one');
    expect(begun).toMatchObject({ isError: false, goesOn: 'one' });
    expect((await run({ command: `${until('/tmp/up')}; echo kept > beside` }, 'two')).text).toContain(
      '+ beside',
    );
    expect(existsSync(join(work, 'served'))).toBe(false);
    writeFileSync(join(work, 'both'), 'by the person');
    const seen: string[] = [];
    const stopped = await stop('one', async ({ changes, goneOn }) => {
      seen.push(goneOn?.command ?? '', ...changes.map(({ path }) => Buffer.from(path).toString()));
      return { commit: true };
    });
    expect(seen.sort()).toEqual(['.git/config', command, 'served'].sort());
    expect(stopped).toMatchObject({ isError: false, effects: { kept: true, created: 1, changed: 1 } });
    expect(stopped.text).toMatch(/^one is stopped\.\n/);
    expect(stopped.text).toContain('somebody else changed both meanwhile');
    expect(readFileSync(join(work, 'served'), 'utf8')).toBe('live\n');
    expect(readFileSync(join(work, 'both'), 'utf8')).toBe('by the person');
    expect(background.list()).toEqual([]);
  });

  it('sees what a command and the person change, and its output names what it does not see [B2]', async () => {
    writeFileSync(join(work, 'page'), 'first\n');
    const serve = 'read -r < /tmp/ask; cat page; > /tmp/told';
    const command = `mkfifo /tmp/ask; cat page; > /tmp/up; ${serve}; ${serve}; sleep 600`;
    await run({ command, background: true }, 'one');
    const ask = `until [ -p /tmp/ask ]; do sleep 0.05; done; echo > /tmp/ask; ${until('/tmp/told')}; rm /tmp/told`;
    await run({ command: `${until('/tmp/up')}; echo second > new; mv new page` }, 'two');
    await run({ command: ask }, 'three');
    writeFileSync(join(work, 'page'), 'third\n');
    writeFileSync(join(work, 'big'), '');
    truncateSync(join(work, 'big'), 65 * 1024 * 1024);
    await run({ command: ask }, 'four');
    const said = () => readFileSync(background.list()[0]?.outputPath ?? '', 'utf8');
    while (!said().includes('third')) await delay(20);
    expect(said().replace(/\[bulkhead: .*\]\n/, '')).toBe('first\nsecond\nthird\n');
    expect(said()).toContain('[bulkhead: big has changed, and is too large to be shown; restart it');
    expect((await stop('one', async () => ({ commit: true }))).text).toMatch(/^one is stopped\.$/m);
  });

  it('leaves the folder as it was if what it wrote is refused [B2]', async () => {
    await run({ command: 'echo live > served; > /tmp/up; sleep 600', background: true }, 'one');
    await run({ command: until('/tmp/up') }, 'two');
    const refused = await stop('one', async () => ({ commit: false, reason: 'not that' }));
    expect(refused).toMatchObject({ isError: true, effects: { kept: false } });
    expect(refused.text).toContain('nothing it changed was kept: not that');
    expect(existsSync(join(work, 'served'))).toBe(false);
  });

  it('that no one stops waits with its changes, or they are kept if no question is needed [B2]', async () => {
    await run({ command: 'echo live > served', background: true }, 'one');
    const ended = () =>
      background
        .list()
        .find(({ id }) => id === 'one')
        ?.remarks.join();
    while (!ended()) await delay(20);
    expect(ended()).toContain('process_stop asks about it (no one could decide about it)');
    expect(existsSync(join(work, 'served'))).toBe(false);
    const outcomes: (boolean | undefined)[] = [];
    background.decideBy(async () => ({ commit: true, settled: async (kept) => void outcomes.push(kept) }));
    await run({ command: 'echo live > other', background: true }, 'two');
    expect(await appears(join(work, 'other'))).toBe('live\n');
    while (outcomes.length === 0) await delay(20);
    expect(outcomes).toEqual([true]);
    expect((await stop('one', async () => ({ commit: true }))).isError).toBe(false);
    expect(existsSync(join(work, 'served'))).toBe(true);
  });

  it('is kept as the engine stops if no question is needed, and discarded if it is [B2]', async () => {
    background.decideBy(async (_, { changes }) =>
      changes.some(({ path }) => Buffer.from(path).toString() === 'asks')
        ? { commit: false, reason: 'a person has to see it' }
        : { commit: true, settled: async () => {} },
    );
    await run({ command: 'echo live > served; > /tmp/up; sleep 600', background: true }, 'one');
    await run({ command: 'echo live > asks; > /tmp/both; sleep 600', background: true }, 'two');
    await run({ command: `${until('/tmp/up')}; ${until('/tmp/both')}` }, 'three');
    await background.close();
    expect(readFileSync(join(work, 'served'), 'utf8')).toBe('live\n');
    expect(existsSync(join(work, 'asks'))).toBe(false);
  });

  it('holds up no one if its folder is out of order at its end: what it wrote is dropped [B2] [A4]', async () => {
    await run({ command: `echo live > served; ${until('/tmp/go')}`, background: true }, 'one');
    const broken = new BulkheadError('tool_failed', 'the disk says no');
    const mend = vi.spyOn(ScratchLedger.prototype, 'mend').mockRejectedValue(broken);
    writeFileSync(join(root, 'temp/tmp/go'), '');
    const [one] = background.list();
    const remarks = () => background.list()[0]?.remarks.join() ?? '';
    while (remarks() === '') await delay(20);
    expect(remarks()).toContain('what it changed is not kept: the disk says no');
    mend.mockRestore();
    expect((await stop('one', async () => ({ commit: true }))).text).toMatch(/^one is stopped\./);
    expect(existsSync(`/proc/${one?.pid}`)).toBe(false);
    expect(existsSync(join(work, 'served'))).toBe(false);
  });

  it('sees and writes the folder itself if it is live, but not the files that git obeys [B2]', async () => {
    writeFileSync(join(work, '.git/config'), 'mine');
    const command = `echo x > .git/config; ${until('seen')}; echo live > served; while :; do sleep 0.1; done`;
    expect(await run({ command, background: true, live: true }, 'one')).toMatchObject({ isError: false });
    writeFileSync(join(work, 'seen'), '');
    expect(await appears(join(work, 'served'))).toBe('live\n');
    expect(readFileSync(join(work, '.git/config'), 'utf8')).toBe('mine');
    expect((await run({ command: 'echo kept > beside' }, 'two')).text).toContain('+ beside');
    expect(await background.stop('one', 's')).toMatchObject({ command: { id: 'one' }, settled: undefined });
  });

  it('may make a unix socket: it holds no descriptor of the folder itself [B2]', async () => {
    const script = `import socket; s = socket.socket(socket.AF_UNIX); s.bind("/tmp/it"); s.listen(); c, _ = s.accept(); c.sendall(b"by socket")`;
    await run({ command: `exec python3 -c '${script}'`, background: true }, 'one');
    const client = `import socket; s = socket.socket(socket.AF_UNIX); s.connect("/tmp/it"); print(s.recv(99))`;
    const asked = await run({ command: `${until('/tmp/it')}; python3 -c '${client}'` }, 'two');
    expect(asked.text).toContain('by socket');
  });

  it('has at most eight beside it, and those that wait for a decision count [B2]', async () => {
    for (let at = 0; at < 8; at += 1)
      await run({ command: `echo ${at} > file${at}`, background: true }, `many${at}`);
    while (background.list().some(({ ended }) => ended === undefined)) await delay(20);
    const more = await run({ command: 'sleep 600', background: true }, 'more');
    expect(more).toMatchObject({ isError: true, text: expect.stringContaining('process_stop') });
  });
});
