import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Descriptor } from '@bulkhead/files';
import { BulkheadError, homeLayout, systemClock, systemTimers } from '@bulkhead/protocol';
import { createSandbox, locateLauncher } from '@bulkhead/sandbox';
import { createRedaction } from '@bulkhead/shield';
import { BackgroundCommands } from '@bulkhead/tools';
import { testCall } from '@bulkhead/tools/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { boxedShell } from '../boxes/boxed-shell.ts';
import { Placeholders } from '../boxes/placeholders.ts';
import { SessionNetworks } from '../boxes/session-networks.ts';
import { FairPlaces } from '../pools/fair-places.ts';
import { closedEgress } from '../testing/closed-egress.ts';
import { noneShown } from '../testing/none-beside.ts';
import { FolderQueue } from '../transactions/folder-queue.ts';
import { ScratchLedger } from '../transactions/scratch-ledger.ts';
import { BoxFolders } from './box-folders.ts';

let root: string;
let work: string;
let engine: ReturnType<typeof startEngine>;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-kept-')));
  work = join(root, 'work');
  for (const name of ['work', 'home', 'run']) mkdirSync(join(root, name));
  engine = startEngine();
});
afterEach(async () => {
  await engine.background.close();
  engine.boxes[Symbol.dispose]();
  rmSync(root, { recursive: true, force: true });
});

/** The parts that run commands, as a new engine makes them. */
function startEngine(maxBytes = 1024 ** 3, view: 'overlay' | 'copy' = 'overlay') {
  const layout = homeLayout(join(root, 'home'));
  mkdirSync(layout.scratch, { recursive: true });
  const sandbox = createSandbox({
    launcherPath: locateLauncher(join(import.meta.dirname, '../../../sandbox')),
    nodePath: process.execPath,
    runtimeFiles: [],
    nameSpaces: { agent: false, worker: false },
    scratch: root,
  });
  const errors: unknown[] = [];
  const boxes = new BoxFolders({
    folder: layout.boxes,
    sandbox,
    maxBytes,
    clock: systemClock,
    timers: systemTimers,
    isOffTheRecord: (id) => id.startsWith('off'),
    onError: (error) => errors.push(error),
  });
  const background = new BackgroundCommands();
  const shell = boxedShell({
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
      places: 4,
      timers: systemTimers,
      waitMs: 60_000,
      full: () => new BulkheadError('overloaded', 'full'),
    }),
    ledger: new ScratchLedger(layout.scratch, sandbox),
    background,
    views: { of: () => Promise.resolve({ kind: view }) },
    placeholders: new Placeholders(join(root, 'placeholders')),
    timers: systemTimers,
    boxFolders: boxes,
    gitSettings: async () => undefined,
    redaction: createRedaction([]),
  });
  return { boxes, shell, layout, errors, background };
}

let actions = 0;
async function run(command: string, sessionId = 's1'): Promise<string> {
  actions += 1;
  const facts = { workingFolder: work, sessionId, actionId: `a${actions}` };
  const call = testCall('bash', { command }, facts);
  const result = await engine.shell.execute(
    call,
    () => {},
    new AbortController().signal,
    async () => ({
      commit: true,
    }),
  );
  return result.text;
}

const homeOf = () => `${engine.boxes.list(work)[0]?.path}/home`;

describe('the private home of a workspace', () => {
  it('keeps what commands write there, for all sessions and later engines', async () => {
    await run('mkdir -p ~/.cache/demo && echo data > ~/.cache/demo/file');
    expect(await run('cat ~/.cache/demo/file', 's2')).toBe('data\n');
    engine = startEngine();
    expect(await run('cat ~/.cache/demo/file', 's3')).toBe('data\n');
    expect(readdirSync(work)).toEqual([]);
  });

  it('says once in a session that files there are kept', async () => {
    const [first, second, other] = [
      await run('echo 1 > ~/1'),
      await run('echo 2 > ~/2'),
      await run('true', 's2'),
    ];
    expect(first).toContain('`bulkhead box show` lists it');
    expect(second).toBe('(no output)');
    expect(other, 'a session that writes nothing').toBe('(no output)');
  });

  it('is not the home of another folder at the same path', async () => {
    await run('echo data > ~/file');
    renameSync(work, `${work}-old`);
    mkdirSync(work);
    expect(await run('ls -A ~')).not.toContain('file');
    expect(engine.boxes.list(work)).toHaveLength(2);
  });

  it('is empty for a dry run, which leaves nothing there [A5]', async () => {
    await run('echo data > ~/file; echo t > /tmp/t');
    const call = testCall(
      'bash',
      { command: 'ls ~ /tmp; echo x > ~/new && echo wrote' },
      { workingFolder: work },
    );
    const plan = await engine.shell.plan?.(call, new AbortController().signal);
    expect(plan?.text).toContain('wrote');
    expect(plan?.text).not.toMatch(/^(file|t)$/m);
    expect(readdirSync(homeOf())).toEqual(['file']);
  });

  it('is read-only off the record, with temporary files that end with the command', async () => {
    await run('echo data > ~/file');
    const said = await run(
      'cat ~/file; (echo x > ~/new) 2>/dev/null || echo closed; echo t > /tmp/t && cat /tmp/t',
      'off1',
    );
    expect(said).toMatch(/^data\nclosed\nt\n/);
    expect(await run('cat /tmp/t || echo gone', 'off1')).toContain('gone');
    expect(readdirSync(homeOf())).toEqual(['file']);
  });

  it('is read-only above its size, and says so, until it is reset', async () => {
    engine = startEngine(1_000_000);
    await run('head -c 3000000 /dev/zero > ~/large');
    const said = await run('echo x > ~/more; echo x > /tmp/t && ls ~');
    expect(said).toContain('Read-only file system');
    expect(said).toMatch(/box\.maxBytes[\s\S]*bulkhead box reset/);
    expect(await run('ls /tmp')).not.toMatch(/^t$/m);
    await engine.boxes.reset(work);
    expect(await run('ls -A ~; echo x > ~/more && cat ~/more')).toMatch(/^x\n/);
    expect(engine.errors).toEqual([]);
  });
});

describe('a command on a copy of its folder', () => {
  it('has an empty home and /tmp, says so, and leaves nothing there', async () => {
    await run('echo data > ~/file; echo t > /tmp/t');
    engine = startEngine(1024 ** 3, 'copy');
    const said = await run('ls ~ /tmp; echo x > ~/new; echo x > /tmp/new; echo x > kept');
    expect(said).not.toMatch(/^(file|t)$/m);
    expect(said).toContain('its home and /tmp were empty and ended with it');
    expect(await engine.boxes.changedBy(`a${actions}`), 'whether it wrote there').toBe(false);
    expect(readdirSync(homeOf())).toEqual(['file']);
    expect(readdirSync(work), 'its work').toEqual(['kept']);
  });
});

describe('a process that a command leaves running', () => {
  it('keeps the home in use until it ends, and counts as the command [F2]', async () => {
    const said = await run('(until [ -e ~/go ]; do sleep 0.05; done; echo x > ~/x) & true');
    expect(said).toContain('goes on as');
    expect(engine.boxes.list(work)).toMatchObject([{ running: 1 }]);
    await expect(engine.boxes.reset(work)).rejects.toMatchObject({ code: 'busy' });
    const id = `a${actions}`;
    const left = engine.boxes.left(id);
    expect(left).toBeDefined();
    expect(await engine.boxes.changedBy(id), 'while it runs').toBe(true);
    writeFileSync(`${homeOf()}/go`, '');
    await left;
    expect(readFileSync(`${homeOf()}/x`, 'utf8')).toBe('x\n');
    expect(engine.boxes.left(id)).toBeUndefined();
    expect(engine.boxes.list(work)).toMatchObject([{ running: 0 }]);
    expect(await engine.boxes.changedBy(id)).toBe(true);
  });
});

describe('temporary files', () => {
  it('are kept between commands of a session, and shown to no other', async () => {
    await run('echo t > /tmp/t; echo v > /var/tmp/v; echo s > /dev/shm/s');
    expect(await run('cat /tmp/t /var/tmp/v /dev/shm/s')).toBe('t\nv\ns\n');
    expect(await run('ls /tmp /var/tmp /dev/shm | grep -x "[tvs]" || echo none', 's2')).toContain('none');
  });

  it('are removed with their session, without following a link', async () => {
    writeFileSync(join(root, 'victim'), 'canary');
    await run(`ln -s ${root} /tmp/link; mkdir -m 0 /tmp/closed`);
    await run('true', 's2');
    await engine.boxes.forget('s1');
    expect(readdirSync(`${engine.boxes.list(work)[0]?.path}/tmp`)).toEqual(['s2']);
    expect(readFileSync(join(root, 'victim'), 'utf8')).toBe('canary');
  });

  it('are removed at start when they are unused for long, or their session is gone', async () => {
    for (const session of ['old', 'gone', 'fresh']) await run('true', session);
    const folder = `${engine.boxes.list(work)[0]?.path}/tmp`;
    const past = Date.now() / 1_000 - 8 * 24 * 3_600;
    utimesSync(`${folder}/old`, past, past);
    await startEngine().boxes.sweep((id) => id !== 'gone');
    expect(readdirSync(folder)).toEqual(['fresh']);
  });
});

describe('a reset', () => {
  it('removes home and temporary files, and follows no link that a command left', async () => {
    writeFileSync(join(root, 'victim'), 'canary');
    await run(`ln -s ${root} ~/link; ln -s ${root}/victim ~/.npmrc; echo x > /tmp/x`);
    const [box] = engine.boxes.list(work);
    await engine.boxes.reset(work);
    expect(existsSync(box?.path ?? '')).toBe(false);
    expect(readFileSync(join(root, 'victim'), 'utf8')).toBe('canary');
    expect(engine.boxes.list(work)).toEqual([]);
    expect(await run('ls -A ~ /var/tmp | grep -c link')).toMatch(/^0\n/);
  });

  it('is refused while a command runs there', async () => {
    using folder = Descriptor.ofTrustedFolder(work);
    const place = { path: work, identity: folder.lastingId() };
    const stay = await engine.boxes.enter(place, { sessionId: 's1', actionId: 'x' });
    await expect(engine.boxes.reset(work)).rejects.toMatchObject({ code: 'busy' });
    expect(engine.boxes.list(work)).toMatchObject([{ running: 1 }]);
    stay[Symbol.dispose]();
    await engine.boxes.reset(work);
    expect(engine.boxes.list(work)).toEqual([]);
  });
});

describe('whether a command changed its private folders', () => {
  const changed = async (command: string): Promise<boolean> => {
    await run(command);
    return await engine.boxes.changedBy(`a${actions}`);
  };

  it('is true after a write deep in the home or to a temporary file, and false after none', async () => {
    await run('mkdir -p ~/a/b && echo x > ~/a/b/c');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await changed('cat ~/a/b/c; ls /tmp')).toBe(false);
    expect(await changed('echo y >> ~/a/b/c')).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await changed('touch -d 2001-01-01 ~/a/b/c')).toBe(true);
    expect(await changed('echo t > /dev/shm/t')).toBe(true);
  });

  it('is true after a change of the home folder itself', async () => {
    await run('echo x > ~/gone');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await changed('ls ~')).toBe(false);
    expect(await changed('chmod 750 ~')).toBe(true);
    expect(await changed('rm ~/gone')).toBe(true);
  });

  it('is true for a command that is not known', async () => {
    expect(await engine.boxes.changedBy('unknown')).toBe(true);
  });

  it('is true if they can not be measured', async () => {
    await run('true');
    symlinkSync('/', join(root, 'link'));
    rmSync(homeOf(), { recursive: true });
    symlinkSync(join(root, 'link'), homeOf());
    expect(await engine.boxes.changedBy(`a${actions}`)).toBe(true);
  });
});
