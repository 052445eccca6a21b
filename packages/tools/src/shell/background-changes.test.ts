import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SettleCommand, ToolResult } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { change } from '../testing/scripted-transaction.ts';
import { TemporaryFolder } from '../testing/temporary-folder.ts';
import { testCall } from '../testing/test-call.ts';
import { BackgroundCommands } from './background-commands.ts';
import { createProcessHost } from './create-process-host.ts';
import type { EndedDecision } from './ended-command.ts';
import { OutputFile } from './output-file.ts';
import type { StartedCommand } from './started-command.ts';

let folder: TemporaryFolder;
let commands: BackgroundCommands;
let open: Set<string>;
let told: string[];
let child: ChildProcess;
let listing: Promise<void>;
let answer: Error | undefined;
let list: () => void;

beforeEach(() => {
  folder = new TemporaryFolder();
  open = new Set();
  const records = { lost: [], begun: ({ id }: { id: string }) => void open.add(id) };
  commands = new BackgroundCommands({ ...records, over: (id) => void open.delete(id) });
  told = [];
  answer = undefined;
  ({ promise: listing, resolve: list } = Promise.withResolvers<void>());
});
afterEach(async () => {
  await commands.close();
  child.kill('SIGKILL');
  folder[Symbol.dispose]();
});

/** A command whose "launcher" lives until it is disposed of; its changes are scripted. */
async function begin(): Promise<StartedCommand> {
  child = spawn('/bin/sleep', ['600'], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const exited = once(child, 'exit');
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const recover = async () => Promise.reject(new Error('the disk is gone'));
  return {
    child,
    recover,
    later: {
      ended,
      stop: () => {
        // Their end is the end of the output, if no one else holds the pipes.
        child.stdout?.push(null);
        child.stderr?.push(null);
        resolve();
      },
      show: async () => {},
      onUnseen: () => {},
      turn: async () => ({ [Symbol.dispose]: () => {} }),
      list: async () => {
        told.push('list');
        await listing;
        return { status: 0, changes: [change('made')], problems: [], notes: [] };
      },
      settle: async (commit) => {
        told.push(commit ? 'commit' : 'drop');
        if (answer !== undefined) throw answer;
        return { type: commit ? 'committed' : 'dropped' };
      },
      recover,
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function start(prepare: (started: StartedCommand) => StartedCommand = (one) => one): Promise<void> {
  const call = testCall('bash', { command: 'serve', background: true }, { workingFolder: folder.path });
  const file = new OutputFile(join(folder.path, 'output.txt'), 1024);
  await commands.start(call, 'serve', async () => prepare(await begin()), file);
}

const yes: SettleCommand = async () => ({ commit: true });

function stop(
  settle: SettleCommand,
  signal = new AbortController().signal,
  workingFolder = folder.path,
): Promise<ToolResult> {
  const call = testCall('process_stop', { id: 'a' }, { workingFolder });
  return createProcessHost(commands).execute(call, () => {}, signal, settle);
}

/** Cancels a stop while a person decides. */
async function cancelDecision(): Promise<ToolResult> {
  const controller = new AbortController();
  return await stop(async () => {
    controller.abort();
    return { commit: false, reason: 'the run was cancelled' };
  }, controller.signal);
}

function keeping(settled: (kept: boolean | undefined) => Promise<void>): () => Promise<EndedDecision> {
  return async () => ({ commit: true, settled });
}

const remarks = () => commands.list()[0]?.remarks.join() ?? '';

describe('the changes of a background command that is stopped [B2]', () => {
  beforeEach(() => list());

  it('are in doubt if recovery can not find out whether they were kept, which is not a failure [FG4]', async () => {
    await start();
    answer = new Error('the launcher died');
    await expect(stop(yes)).rejects.toMatchObject({ code: 'worker_failed' });
    expect([...open]).toEqual(['a']);
  });

  it('wait for a person if the session works in another folder by now', async () => {
    await start();
    const { isError, text } = await stop(yes, undefined, '/elsewhere');
    expect({ isError, told }).toEqual({ isError: true, told: ['list'] });
    expect(text).toContain('`bulkhead processes stop`');
    commands.decideBy(keeping(async () => {}));
    await commands.end('a');
    expect(told.at(-1)).toBe('commit');
  });

  it('are settled while another process holds its pipes', async () => {
    await start((started) => {
      const { later } = started;
      if (later === undefined) throw new Error('it has no changes');
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      return { ...started, later: { ...later, ended, stop: resolve } };
    });
    expect(await stop(yes)).toMatchObject({ isError: false, effects: { kept: true } });
  });

  it('wait if the stop is cancelled while the command ends, and are settled by its end', async () => {
    let end = () => {};
    await start((started) => {
      const { later } = started;
      if (later === undefined) throw new Error('it has no changes');
      end = () => later.stop();
      return { ...started, later: { ...later, stop: () => {} } };
    });
    const controller = new AbortController();
    const stopped = stop(yes, controller.signal);
    controller.abort();
    expect(await stopped).toMatchObject({ isError: true, text: expect.stringContaining('cancelled') });
    const { promise: kept, resolve } = Promise.withResolvers<boolean | undefined>();
    commands.decideBy(keeping(async (outcome) => resolve(outcome)));
    end();
    expect(await kept).toBe(true);
    expect(told).toEqual(['list', 'commit']);
  });

  it('wait if the decision is cancelled, and the next stop decides', async () => {
    await start();
    const { isError, text } = await cancelDecision();
    expect([isError, told]).toEqual([true, ['list']]);
    expect(text).toContain('its changes wait for a decision: it was cancelled');
    expect(remarks()).toContain('process_stop asks about it');
    expect([...open]).toEqual(['a']);
    expect(await stop(yes)).toMatchObject({ isError: false, effects: { kept: true } });
    expect(told).toEqual(['list', 'list', 'commit']);
    expect([[...open], commands.list()]).toEqual([[], []]);
  });

  it('wait if they can not be judged', async () => {
    await start();
    const { text } = await stop(() => Promise.reject(new Error('the judge is away')));
    expect(text).toContain('its changes wait for a decision: the judge is away');
    expect(told).toEqual(['list']);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a person ends it', () => commands.end('a')],
    ['the engine ends', () => commands.close()],
  ])('that waited for a cancelled decision are kept without a question when %s', async (_, ends) => {
    await start();
    await cancelDecision();
    const outcomes: unknown[] = [];
    commands.decideBy(keeping(async (kept) => void outcomes.push(kept)));
    await ends();
    expect([told, outcomes, commands.list()]).toEqual([['list', 'list', 'commit'], [true], []]);
  });

  it('that waited for a cancelled decision are lost by name when the engine ends without one [A4]', async () => {
    await start();
    await cancelDecision();
    await commands.close();
    expect([...open]).toEqual(['a']);
  });
});

describe('a stop that is cancelled during the list of the changes [B2]', () => {
  it('lets the list come to its end: its launcher holds the changes', async () => {
    await start();
    const controller = new AbortController();
    const stopped = stop(() => expect.unreachable('no one is asked'), controller.signal);
    while (told.length === 0) await new Promise(setImmediate);
    controller.abort();
    expect(child.killed).toBe(false);
    list();
    expect(await stopped).toMatchObject({ isError: true });
    expect(child.killed).toBe(false);
    expect(await stop(yes)).toMatchObject({ isError: false, effects: { kept: true } });
  });
});

describe('the changes of a background command that ends without a stop [B2]', () => {
  beforeEach(() => list());

  it('are called kept also if that could not be recorded', async () => {
    await start();
    commands.decideBy(keeping(() => Promise.reject(new Error('the disk is full'))));
    const ended = await commands.end('a');
    const [kept, ...more] = ended?.remarks ?? [];
    expect(kept).toBe('files: 1 created');
    expect(more.at(-1)).toBe('its outcome could not be recorded: the disk is full');
  });

  it('are neither called kept nor lost if that is not known: the next engine says it [FG4]', async () => {
    await start();
    const outcomes: unknown[] = [];
    commands.decideBy(keeping(async (kept) => void outcomes.push(kept)));
    answer = new Error('the launcher died');
    const ended = await commands.end('a');
    expect(ended?.remarks.join()).toMatch(/^it is not known whether what it changed is kept: /);
    expect([outcomes, [...open]]).toEqual([[undefined], ['a']]);
  });
});
