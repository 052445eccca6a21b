import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BulkheadError, homeLayout, systemTimers } from '@bulkhead/protocol';
import { createSandbox, locateLauncher } from '@bulkhead/sandbox';
import { createRedaction } from '@bulkhead/shield';
import { BackgroundCommands } from '@bulkhead/tools';
import { testCall } from '@bulkhead/tools/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FairPlaces } from '../pools/fair-places.ts';
import { closedEgress } from '../testing/closed-egress.ts';
import { noTools } from '../testing/no-tools.ts';
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
  for (const name of ['work/.git', 'home', 'run']) mkdirSync(join(root, name), { recursive: true });
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
    tools: noTools,
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
    boxFolders: { enter: async () => ({ kept: {}, remarks: () => [], [Symbol.dispose]: () => {} }) },
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
    expect(await background.stop('one-left')).toMatchObject({ id: 'one-left' });
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

describe('a background command in its box', () => {
  it('writes the folder itself, not the files that git obeys, and delays no one', async () => {
    writeFileSync(join(work, '.git/config'), 'mine');
    const command = 'echo x > .git/config; echo live > served; while :; do sleep 0.1; done';
    expect(await run({ command, background: true }, 'one')).toMatchObject({ isError: false });
    expect(await appears(join(work, 'served'))).toBe('live\n');
    expect(readFileSync(join(work, '.git/config'), 'utf8')).toBe('mine');
    expect((await run({ command: 'echo kept > beside' }, 'two')).text).toContain('+ beside');
    expect(await background.stop('one', 's')).toMatchObject({ id: 'one' });
  });
});
