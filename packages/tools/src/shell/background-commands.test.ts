import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ToolHostCall, ToolResult } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TemporaryFolder } from '../testing/temporary-folder.ts';
import { testCall } from '../testing/test-call.ts';
import { BackgroundCommands } from './background-commands.ts';
import { createProcessHost } from './create-process-host.ts';
import { createShellHost } from './create-shell-host.ts';
import type { ShellCommand, StartedCommand } from './started-command.ts';

let folder: TemporaryFolder;
let commands: BackgroundCommands;
const signal = new AbortController().signal;

beforeEach(() => {
  folder = new TemporaryFolder();
  commands = new BackgroundCommands();
});
afterEach(async () => {
  await commands.close();
  folder[Symbol.dispose]();
});

async function begin({ file, args, cwd, env }: ShellCommand): Promise<StartedCommand> {
  const child = spawn(file, [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const exited = once(child, 'exit');
  return {
    child,
    recover: () => Promise.reject(new Error('nothing to recover')),
    async [Symbol.asyncDispose]() {
      await exited;
    },
  };
}

function call(tool: string, args: unknown, sessionId = 's', actionId = 'a'): ToolHostCall {
  return testCall(tool, args, { actionId, sessionId, workingFolder: folder.path });
}

function shell(transactions: boolean) {
  const outputs = join(folder.path, 'outputs');
  return createShellHost({ begin, outputs, home: '/nowhere', background: commands, transactions });
}

function start(command: string, actionId?: string): Promise<ToolResult> {
  return shell(true).execute(call('bash', { command, background: true }, 's', actionId), () => {}, signal);
}

function processes(tool: string, args: unknown, sessionId?: string): Promise<ToolResult> {
  return createProcessHost(commands).execute(call(tool, args, sessionId), () => {}, signal);
}

describe('a background command', () => {
  it('of an earlier engine is named to its session: once unasked, and in the list until stopped [A4]', async () => {
    const about = { action: 'old', workingFolder: folder.path, command: 'serve', outputPath: '', pid: 0 };
    const ended = { ended: 'it ended with the engine', remarks: ['what it changed is lost'] };
    const over: string[] = [];
    commands = new BackgroundCommands({
      lost: [{ id: 'old', sessionId: 's', ...about, ...ended }],
      begun: () => {},
      over: (id) => over.push(id),
    });
    const host = shell(true);
    const run = (session: string) =>
      host.execute(call('bash', { command: 'echo hello' }, session, 'b'), () => {}, signal);
    expect((await run('another')).text).not.toContain('old');
    const news = '[background command old: it ended with the engine; what it changed is lost]';
    expect((await run('s')).text).toBe(`hello\n\n${news}`);
    expect((await run('s')).text).not.toContain('old');
    const { text } = await processes('process_list', {});
    expect(text).toMatch(/^old it ended with the engine: serve .*\n\[what it changed is lost\]$/);
    expect((await processes('process_stop', { id: 'old' }, 'another')).isError).toBe(true);
    expect((await processes('process_stop', { id: 'old' })).text).toContain('what it changed is lost');
    expect(over).toEqual(['old']);
    expect((await processes('process_list', {})).text).toBe('No background command.');
  });

  it('goes on after its call, is listed for its own session, and stopped', async () => {
    expect((await start('echo ready; sleep 600 & sleep 600')).text).toContain('in the background as a.');
    expect((await processes('process_list', {})).text).toMatch(/^a runs: echo ready/);
    expect((await processes('process_list', {}, 'other')).text).toBe('No background command.');
    expect((await processes('process_stop', { id: 'a' }, 'other')).isError).toBe(true);
    const output = join(folder.path, 'outputs', 's', 'a.txt');
    // The file exists before its content is written.
    while (!existsSync(output) || readFileSync(output, 'utf8') === '') await delay(10);
    expect(readFileSync(output, 'utf8')).toBe('ready\n');
    expect((await processes('process_stop', { id: 'a' })).isError).toBe(false);
    expect((await processes('process_list', {})).text).toBe('No background command.');
  });

  it('says how it ended', async () => {
    await start('exit 3');
    while (commands.list().some(({ ended }) => ended === undefined)) await delay(10);
    expect((await processes('process_list', {})).text).toContain('a exit code 3: exit 3');
  });

  it('has only so many beside it, however many are started at once', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `at-once-${index}`);
    const results = await Promise.all(ids.map((id) => start('sleep 600', id)));
    expect(results.filter(({ isError }) => !isError)).toHaveLength(8);
    expect(commands.list('s')).toHaveLength(8);
  });

  it('that could not be started leaves its place free', async () => {
    const failing = {
      begin: () => Promise.reject(new Error('no box')),
      outputs: join(folder.path, 'outputs'),
    };
    const host = createShellHost({ ...failing, home: '/nowhere', background: commands, transactions: true });
    for (let count = 0; count < 10; count++) {
      const one = call('bash', { command: 'true', background: true }, 's', `failed-${count}`);
      await host.execute(one, () => {}, signal).catch(() => {});
    }
    expect((await start('sleep 600')).isError).toBe(false);
  });

  it('whose box is lost as it starts lets others into the folder, and leaves its place free', async () => {
    let disposed = 0;
    const lost = async (command: ShellCommand): Promise<StartedCommand> => {
      const effects = Promise.reject(new Error('the launcher was lost'));
      effects.catch(() => {});
      const { child, recover } = await begin({ ...command, args: ['-c', 'true'] });
      const settle = () => Promise.reject(new Error('not reached'));
      return {
        ...{ child, recover },
        transaction: { ended: Promise.resolve(0), left: true, effects, stop: () => {}, settle },
        detach: () => {
          throw new Error('not reached');
        },
        async [Symbol.asyncDispose]() {
          disposed += 1;
        },
      };
    };
    const parts = {
      begin: lost,
      outputs: join(folder.path, 'outputs'),
      home: '/nowhere',
      transactions: true,
    };
    const host = createShellHost({ ...parts, background: commands });
    const result = await host.execute(call('bash', { command: 'x', background: true }), () => {}, signal);
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('the launcher was lost') });
    expect([disposed, commands.list()]).toEqual([1, []]);
  });

  it('that is ready only after the end of the engine is ended', async () => {
    const gate = Promise.withResolvers<void>();
    let begun: StartedCommand | undefined;
    const late = async (command: ShellCommand): Promise<StartedCommand> => {
      await gate.promise;
      begun = await begin(command);
      return begun;
    };
    const outputs = join(folder.path, 'outputs');
    const parts = { begin: late, outputs, home: '/nowhere', background: commands, transactions: true };
    const starting = createShellHost(parts).execute(
      call('bash', { command: 'sleep 600', background: true }),
      () => {},
      signal,
    );
    await commands.close();
    gate.resolve();
    expect((await starting).isError).toBe(true);
    expect(begun?.child.signalCode).toBe('SIGKILL');
  });

  it('has only so many beside it, and none once the engine ends', async () => {
    for (const id of '12345678') await start('sleep 600', id);
    expect((await start('sleep 600', '9')).isError).toBe(true);
    await commands.close();
    expect((await start('sleep 600', '10')).isError).toBe(true);
  });
});

describe('the end of a session', () => {
  it('is the end of its own commands only', async () => {
    await start('sleep 600', 'mine');
    const other = call('bash', { command: 'sleep 600', background: true }, 'other', 'theirs');
    await shell(true).execute(other, () => {}, signal);
    const [mine] = commands.list('s');
    await commands.stopAll('s');
    expect(commands.list().map(({ id }) => id)).toEqual(['theirs']);
    expect(existsSync(`/proc/${mine?.pid}`)).toBe(false);
  });
});

describe('a dry run of what would write the folder itself [A5]', () => {
  it.each([
    [false, { command: 'touch made' }],
    [true, { command: 'touch made', background: true }],
  ])('does not run it (transactions: %j, %j)', async (transactions, args) => {
    const plan = await shell(transactions).plan(call('bash', args), signal);
    expect(plan.text).toContain('It was not tried');
    expect(existsSync(join(folder.path, 'made'))).toBe(false);
  });
});
