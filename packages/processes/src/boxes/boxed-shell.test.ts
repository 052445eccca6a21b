import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BulkheadError, type CommandEffects, homeLayout, systemTimers } from '@bulkhead/protocol';
import { createSandbox, locateLauncher } from '@bulkhead/sandbox';
import { createRedaction } from '@bulkhead/shield';
import { BackgroundCommands } from '@bulkhead/tools';
import { testCall } from '@bulkhead/tools/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FairPlaces } from '../pools/fair-places.ts';
import { closedEgress } from '../testing/closed-egress.ts';
import { noneBeside, noneShown } from '../testing/none-beside.ts';
import type { CommandView } from '../transactions/command-view.ts';
import { FolderQueue } from '../transactions/folder-queue.ts';
import { ScratchLedger } from '../transactions/scratch-ledger.ts';
import { boxedShell } from './boxed-shell.ts';
import { Placeholders } from './placeholders.ts';
import { SessionNetworks } from './session-networks.ts';

let root: string;
let work: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-shell-')));
  work = join(root, 'work');
  for (const name of ['work/a', 'home', 'run']) mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(work, 'a/x'), 'at first\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Renames an existing folder: an overlay refuses that. */
const RENAME = 'python3 -c \'import os; os.rename("a", "b")\'';

const roomFor = (places: number) =>
  new FairPlaces({
    places,
    timers: systemTimers,
    waitMs: 60_000,
    full: () => new BulkheadError('overloaded', 'full'),
  });

async function run(
  view: CommandView,
  keep: boolean,
  places = roomFor(1),
  update: (text: string) => void = () => {},
  tools = noneBeside,
) {
  const layout = homeLayout(join(root, 'home'));
  mkdirSync(layout.scratch, { recursive: true });
  const sandbox = createSandbox({
    launcherPath: locateLauncher(join(import.meta.dirname, '../../../sandbox')),
    nodePath: process.execPath,
    runtimeFiles: [],
    nameSpaces: { agent: false, worker: false },
    scratch: root,
  });
  const shell = boxedShell({
    sandbox,
    layout,
    folders: { check: () => {} },
    box: { kind: 'overlay', launch: (box, program) => sandbox.launch(box, program) },
    environment: {},
    roots: { of: () => undefined, remarks: () => [] },
    ...noneShown,
    outside: tools,
    protectedFiles: { linked: async () => new Map<string, number>(), shownIn: () => [] },
    networks: new SessionNetworks(sandbox, systemTimers),
    openEgress: closedEgress(join(root, 'run')),
    queue: new FolderQueue(),
    places,
    ledger: new ScratchLedger(layout.scratch, sandbox),
    background: new BackgroundCommands(),
    views: { of: () => Promise.resolve(view) },
    placeholders: new Placeholders(join(root, 'placeholders')),
    timers: systemTimers,
    boxFolders: { enter: async () => ({ kept: {}, remarks: () => [], [Symbol.dispose]: () => {} }) },
    gitSettings: async () => undefined,
    redaction: createRedaction([]),
  });
  const call = testCall('bash', { command: RENAME }, { workingFolder: work });
  const listed: string[] = [];
  const settle = async (effects: CommandEffects) => {
    listed.push(...effects.changes.map(({ what, path }) => `${what} ${Buffer.from(path).toString()}`));
    return keep ? ({ commit: true } as const) : ({ commit: false, reason: 'no' } as const);
  };
  const { text } = await shell.execute(call, update, new AbortController().signal, settle);
  return { text, listed, left: readdirSync(join(layout.scratch, 'a/box')) };
}

describe('a command of a folder', () => {
  it.each(['overlay', 'copy'] as const)(
    'works on its %s, in which a folder that was there can be renamed, and is listed and kept [B2]',
    async (kind) => {
      const { listed, left } = await run({ kind }, true);
      expect(listed.toSorted()).toEqual(['created b', 'created b/x', 'deleted a', 'deleted a/x']);
      expect([existsSync(join(work, 'a')), readFileSync(join(work, 'b/x'), 'utf8')]).toEqual([
        false,
        'at first\n',
      ]);
      expect(left).toEqual(['journal']);
    },
  );

  it('that has a copy only leaves nothing of it when it is dropped [B2]', async () => {
    expect((await run({ kind: 'copy' }, false)).left).toEqual([]);
    expect(readdirSync(work)).toEqual(['a']);
  });

  it('that is one too many waits, says so, and runs when another one has ended [FG10]', async () => {
    const places = roomFor(1);
    const other = await places.enter(new AbortController().signal);
    const said: string[] = [];
    const opened: string[] = [];
    const open: (typeof noneBeside)['open'] = (allowed, folder) => {
      opened.push(folder);
      return noneBeside.open(allowed, folder);
    };
    const running = run({ kind: 'copy' }, true, places, (text) => said.push(text), { ...noneBeside, open });
    while (places.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(existsSync(join(work, 'a'))).toBe(true);
    expect(opened).toEqual([]);
    other[Symbol.dispose]();
    expect((await running).listed).toContain('created b');
    expect(opened, 'as they are when it begins').toEqual([work]);
    expect(said.join('')).toContain('pools.commands');
    expect(places.isFull).toBe(false);
  });
});
