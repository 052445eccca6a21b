import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandEffects, ToolResult } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { change } from '../testing/scripted-transaction.ts';
import { TemporaryFolder } from '../testing/temporary-folder.ts';
import { testCall } from '../testing/test-call.ts';
import { BackgroundCommands } from './background-commands.ts';
import { createShellHost } from './create-shell-host.ts';
import type { CommandTransaction, LaterChanges, StartedCommand } from './started-command.ts';

let folder: TemporaryFolder;
let commands: BackgroundCommands;
let children: ChildProcess[];
let told: string[];
/** The answer of the launcher when the command is to go on. */
let onLeave: 'goes on' | 'has ended';
let onSettle: () => void;
/** Its changes, listed at its end. */
let written: CommandEffects;
/** It ends on its own. */
let finish: () => void;
/** Ids whose changes the next engine calls lost. */
let open: Set<string>;

beforeEach(() => {
  folder = new TemporaryFolder();
  open = new Set();
  commands = new BackgroundCommands({
    lost: [],
    begun: ({ id }) => void open.add(id),
    over: (id) => void open.delete(id),
  });
  written = { status: 0, changes: [], problems: [], notes: [] };
  children = [];
  told = [];
  onLeave = 'goes on';
  onSettle = () => {};
});
afterEach(async () => {
  await commands.close();
  folder[Symbol.dispose]();
});

/** A command whose launcher is scripted. */
async function begin(): Promise<StartedCommand> {
  const line = 'echo early; read -r _; echo late; exec sleep 600';
  const child = spawn('/bin/bash', ['-c', line], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  children.push(child);
  const exited = once(child, 'exit');
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  const { promise: over, resolve } = Promise.withResolvers<void>();
  finish = () => {
    child.stdout?.push(null);
    child.stderr?.push(null);
    resolve();
  };
  let goesOn = false;
  const changes = () => (goesOn ? [] : [change('made')]);
  const transaction: CommandTransaction = {
    ended,
    get left() {
      return goesOn;
    },
    get goesOn() {
      return goesOn;
    },
    effects: ended.then((status) => ({ status, changes: changes(), problems: [], notes: [] })),
    stop: () => {
      told.push('stop');
      child.kill('SIGKILL');
      end(137);
    },
    leave: () => {
      told.push('leave');
      goesOn = onLeave === 'goes on';
      end(0);
    },
    settle: async (commit) => {
      told.push(commit ? 'commit' : 'drop');
      onSettle();
      return { type: commit ? 'committed' : 'dropped' };
    },
  };
  const later: LaterChanges = {
    ended: over,
    stop: () => {
      child.kill('SIGKILL');
      resolve();
    },
    show: async () => {},
    onUnseen: () => {},
    turn: async () => ({ [Symbol.dispose]: () => {} }),
    list: async () => written,
    settle: async (commit) => {
      told.push(commit ? 'keep' : 'discard');
      return { type: commit ? 'committed' : 'dropped' };
    },
    recover: async () => 'dropped',
    quiet: {
      onReached: () => void told.push('quiet moments'),
      list: async () => undefined,
      settle: async () => ({ type: 'dropped' }),
      recover: async () => 'dropped',
    },
  };
  let isDetached = false;
  const dispose = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    child,
    transaction,
    recover: async () => 'dropped',
    detach: () => {
      isDetached = true;
      return { later, [Symbol.asyncDispose]: dispose };
    },
    async [Symbol.asyncDispose]() {
      if (!isDetached) await dispose();
    },
  };
}

function run(
  more: { hosts?: readonly string[]; id?: string; signal?: AbortSignal } = {},
): Promise<ToolResult> {
  const { hosts, id = 'a', signal = new AbortController().signal } = more;
  const host = createShellHost({
    begin,
    outputs: join(folder.path, 'outputs'),
    home: '/nowhere',
    background: commands,
    transactions: true,
  });
  const args = { command: 'build', timeout_seconds: 1, ...(hosts === undefined ? {} : { hosts }) };
  const call = testCall('bash', args, { actionId: id, sessionId: 's', workingFolder: folder.path });
  return host.execute(
    call,
    () => {},
    signal,
    async () => ({ commit: true }),
  );
}

describe('a command at its time limit [B2]', () => {
  it('goes on in the background: its result has the output so far, the rest is kept', async () => {
    const { text, isError, goesOn, effects } = await run();
    expect(text).toMatch(
      /^early\n\[the time limit of 1 s is over: the command still runs and goes on as a-left: /,
    );
    expect([isError, goesOn, effects]).toEqual([false, 'a-left', undefined]);
    expect(told).toEqual(['leave', 'drop']);
    const [command] = commands.list('s');
    expect(command).toMatchObject({ id: 'a-left', action: 'a', command: 'build', ended: undefined });
    children[0]?.stdin?.write('\n');
    const later = () => {
      try {
        return readFileSync(command?.outputPath ?? '', 'utf8');
      } catch {
        return '';
      }
    };
    for (let tries = 0; tries < 500 && later() === ''; tries += 1) await delay(20);
    expect(later()).toBe('late\n');
  });

  it('is settled as ever if it ends in that moment', async () => {
    onLeave = 'has ended';
    expect(await run()).toMatchObject({ isError: false, effects: { kept: true, created: 1 } });
    expect(told).toEqual(['leave', 'commit']);
    expect(commands.list()).toEqual([]);
  });

  it('is ended if its call is cancelled meanwhile', async () => {
    const controller = new AbortController();
    onSettle = () => controller.abort();
    const { text, isError, goesOn } = await run({ signal: controller.signal });
    expect(text).toContain('[stopped: cancelled]');
    expect(text).toContain('[nothing it changed was kept]');
    expect([isError, goesOn]).toEqual([true, undefined]);
    expect(commands.list()).toEqual([]);
    expect(children[0]?.killed).toBe(true);
  });

  it('is stopped if it was given hosts, or there is no room for it, and says so', async () => {
    const given = await run({ hosts: ['example.com'] });
    expect(given.text).toContain('[stopped: the time limit of 1 s is over]\n[nothing it changed was kept]');
    expect(given.text).toContain('[it could not go on in the background: its `hosts` are for its call only]');
    await Promise.all(['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((id) => run({ id })));
    expect(commands.list()).toHaveLength(8);
    const full = await run({ id: 'j' });
    expect(full.text).toContain('could not go on in the background: as many background commands run as may');
    expect([full.isError, full.goesOn]).toEqual([true, undefined]);
    expect(commands.list()).toHaveLength(8);
  });
});

describe('the changes of a command that goes on after its time limit [B2]', () => {
  beforeEach(() => {
    written = { ...written, changes: [change('half')] };
    commands.decideBy(async () => ({ commit: true, settled: async () => {} }));
  });
  const remarks = () => commands.list()[0]?.remarks.join() ?? '';
  const waits = () => expect.poll(remarks, { timeout: 10_000 });

  it('is kept when it has ended on its own, and not before', async () => {
    await run();
    expect(told).toEqual(['leave', 'drop']);
    finish();
    await waits().toContain('files: 1 created');
    expect(told).toEqual(['leave', 'drop', 'keep']);
  });

  it('waits for process_stop if a person ends it: it may be incomplete', async () => {
    await run();
    await commands.end('a-left');
    expect(remarks()).toBe(
      'what it changed (1 created) is not in the folder yet: process_stop keeps it (it was ended before it came to its end, so it may be incomplete)',
    );
    expect(told).toEqual(['leave', 'drop']);
    const stopped = await commands.stop('a-left', 's', async () => ({ commit: true }));
    expect(stopped?.settled).toMatchObject({ kept: true });
    expect(told).toEqual(['leave', 'drop', 'keep']);
  });

  it('waits as well if something killed it', async () => {
    written = { ...written, status: 137 };
    await run();
    finish();
    await waits().toContain('process_stop keeps it');
    expect(told).toEqual(['leave', 'drop']);
  });

  it('is dropped when the engine stops, which the next one says', async () => {
    await run();
    await commands.close();
    expect([told, [...open], commands.list()]).toEqual([['leave', 'drop'], ['a-left'], []]);
  });

  it('is dropped then too if a stop had ended it, and was cancelled before a decision', async () => {
    await run();
    const stopped = commands.stop('a-left', 's', () => Promise.reject(new Error('no one is there')));
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    await commands.close();
    expect([told, [...open]]).toEqual([['leave', 'drop'], ['a-left']]);
  });
});
