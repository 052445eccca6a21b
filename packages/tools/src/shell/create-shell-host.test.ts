import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BulkheadError, type ToolHostCall, type ToolResult } from '@bulkhead/protocol';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TemporaryFolder } from '../testing/temporary-folder.ts';
import { testCall } from '../testing/test-call.ts';
import { createShellHost, type ShellHostOptions } from './create-shell-host.ts';
import type { ShellCommand, StartedCommand } from './started-command.ts';

let folder: TemporaryFolder;
let outputs: string;

beforeEach(() => {
  folder = new TemporaryFolder();
  outputs = join(folder.path, 'outputs');
});

afterEach(() => folder[Symbol.dispose]());

/** No box: the tests cover the host, not the permissions of a command. */
function unboxed(command: ShellCommand): ChildProcess {
  const { file, args, cwd, env } = command;
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  return spawn(file, [...args], {
    cwd,
    env: { ...env, NODE_V8_COVERAGE: undefined },
    stdio: [...stdio],
    detached: true,
  });
}

/** A command that writes the folder directly. */
function live(launch: (command: ShellCommand) => ChildProcess): ShellHostOptions['begin'] {
  return async (command): Promise<StartedCommand> => ({
    child: launch(command),
    recover: () => Promise.reject(new Error('nothing to recover')),
    [Symbol.asyncDispose]: async () => {},
  });
}

function callFor(args: unknown, actionId = 'action'): ToolHostCall {
  return testCall('bash', args, { actionId, sessionId: 'session', workingFolder: folder.path });
}

function run(
  command: string,
  options: Partial<ShellHostOptions> & {
    seconds?: number;
    update?: (text: string) => void;
    signal?: AbortSignal;
  } = {},
): Promise<ToolResult> {
  const { seconds, update = () => undefined, signal = new AbortController().signal, ...rest } = options;
  const host = createShellHost({ begin: live(unboxed), outputs, home: '/nowhere', ...rest });
  const args = { command, ...(seconds === undefined ? {} : { timeout_seconds: seconds }) };
  return host.execute(callFor(args), update, signal);
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A process that has ended but was not waited for keeps its number.
  return !/^State:\sZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && alive(pid); tries += 1) await delay(10);
  return !alive(pid);
}

describe('bash [B2]', () => {
  it('gives what a command says on both outputs, in its folder', async () => {
    expect(await run('pwd; echo error >&2')).toEqual({ text: `${folder.path}\nerror\n`, isError: false });
    expect(await run('true')).toEqual({ text: '(no output)', isError: false });
  });

  it('tells a failure by its exit code or signal', async () => {
    expect(await run('echo half; exit 3')).toEqual({ text: 'half\n[exit code 3]', isError: true });
    expect(await run('printf half; exit 125')).toEqual({ text: 'half\n[exit code 125]', isError: true });
    expect(await run('kill -9 $$')).toEqual({ text: '[killed by SIGKILL]', isError: true });
    expect((await run('if then')).text).toContain('syntax error');
  });

  it('has no input and reads no start files', async () => {
    expect((await run('cat; echo $-; shopt login_shell', { home: folder.path })).text).toMatch(
      /^hBc\nlogin_shell\s+off\n/,
    );
  });

  it('streams what is said, at once and then in order [B1]', async () => {
    const updates: string[] = [];
    // The command continues only after its first word has arrived.
    const result = await run(
      'echo first; until [ -e go ]; do sleep 0.02; done; for i in 1 2 3 4 5; do echo $i; done',
      {
        seconds: 10,
        update: (text) => {
          updates.push(text);
          writeFileSync(join(folder.path, 'go'), '');
        },
      },
    );
    expect(updates[0]).toBe('first\n');
    expect(result).toEqual({ text: 'first\n1\n2\n3\n4\n5\n', isError: false });
    expect(updates.join('')).toBe(result.text);
  });

  it('joins updates of a flood and drops those that no one could read', async () => {
    const updates: string[] = [];
    const start = performance.now();
    await run('head -c 20000000 /dev/zero | tr "\\0" x', { update: (text) => updates.push(text) });
    expect(updates.length).toBeLessThanOrEqual((performance.now() - start) / 50 + 2);
    expect(Math.max(...updates.map((text) => text.length))).toBeLessThan(8_300);
  });
});

describe('the environment of a command [FT20]', () => {
  it('is a literal list, whatever the engine has', async () => {
    const saved = { ...process.env };
    Object.assign(process.env, {
      LD_PRELOAD: '/x.so',
      NODE_OPTIONS: '-r x',
      GIT_SSH_COMMAND: 'x',
      BASH_ENV: '/x',
      SECRET_KEY: 'canary',
    });
    try {
      const result = await run('env', {
        user: 'ann',
        environment: { LANG: 'de_DE.UTF-8', LC_ALL: '../../x', LC_TIME: 'C', TERM: 'xterm', OTHER: 'x' },
      });
      const names = result.text.split('\n').flatMap((line) => line.split('=')[0] || []);
      expect(names.sort().join(' ')).toBe(
        'GIT_OPTIONAL_LOCKS HOME LANG LC_TIME LOGNAME PATH PWD SHLVL TERM USER _',
      );
      expect(result.text).toContain('LANG=de_DE.UTF-8\n');
      expect(result.text).toContain('HOME=/nowhere\n');
      expect(result.text).toContain('TERM=xterm\n');
      expect(result.text).toContain('USER=ann\n');
      const odd = await run('env', { environment: { TERM: '../x' } });
      expect(odd.text).toContain('TERM=dumb\n');
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in saved)) delete process.env[name];
    }
  });
});

describe('the end of a command', () => {
  it('comes at its time limit, with what it said until then [FT78]', async () => {
    const result = await run('echo begun; sleep 600', { seconds: 1 });
    expect(result).toEqual({
      text: 'begun\n[stopped: the time limit of 1 s is over]\n[it could not go on in the background: it writes the folder directly]',
      isError: true,
    });
  });

  it('comes even if it ignores the request to end [FT78]', async () => {
    const controller = new AbortController();
    const running = run('trap "echo no" TERM; echo $$; while :; do sleep 0.1; done', {
      signal: controller.signal,
      update: () => controller.abort(),
    });
    const result = await running;
    expect(result.text).toMatch(/no\n(.*\n)*\[stopped: cancelled\]$/);
    expect(await isGone(Number.parseInt(result.text, 10))).toBe(true);
  });

  it('comes at once when it is cancelled, and not at all when it was before', async () => {
    const controller = new AbortController();
    const running = run('echo ready; sleep 600', {
      signal: controller.signal,
      update: () => controller.abort(),
    });
    expect(await running).toEqual({ text: 'ready\n[stopped: cancelled]', isError: true });
    expect((await run(`touch ${folder.path}/ran`, { signal: AbortSignal.abort() })).isError).toBe(true);
    expect(existsSync(join(folder.path, 'ran'))).toBe(false);
  });

  // The test's own limit is far shorter than the sleep.
  it('takes its process group with it, and does not wait for what it left behind [B2]', async () => {
    const result = await run('sleep 600 & echo $!; echo done');
    expect(result.text).toMatch(/^\d+\ndone\n\[what still ran .* was ended with it; [^\n]*\]$/);
    expect(await isGone(Number.parseInt(result.text, 10))).toBe(true);
  });
});

describe('long output [B2, FT73]', () => {
  it('is cut in the middle, with all of it in a private file', async () => {
    const result = await run('seq 1 20000');
    const path = join(outputs, 'session', 'action.txt');
    const whole = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(readFileSync(path, 'utf8')).toBe(whole);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(outputs, 'session')).mode & 0o777).toBe(0o700);
    expect(Buffer.byteLength(result.text)).toBeLessThan(30_300);
    const [head, left, tail] = result.text.split(
      /\n\[(\d+) bytes are left out here; result_open with id action shows all of the output\]\n/,
    );
    expect(`${head}${'.'.repeat(Number(left))}${tail}`).toHaveLength(whole.length);
    expect(whole.startsWith(head ?? '?')).toBe(true);
    expect(whole.endsWith(tail ?? '?')).toBe(true);
  });

  it('leaves no file when it is shown whole', async () => {
    expect((await run('head -c 30000 /dev/zero | tr "\\0" x')).text).toBe('x'.repeat(30_000));
    expect(existsSync(outputs)).toBe(false);
  });

  it('is valid text whatever the bytes, and the file has them as they were', async () => {
    expect((await run("printf '\\xe2'; sleep 0.1; printf '\\x82\\xac \\xff'")).text).toBe('€ \uFFFD');
    const result = await run("printf '\\xff%.0s' {1..10}; for i in {1..9000}; do printf '€€é'; done");
    expect(result.text.isWellFormed()).toBe(true);
    expect(result.text.slice(10).replace(/\n\[.*\]\n/, '')).not.toContain('\uFFFD');
    expect(readFileSync(join(outputs, 'session', 'action.txt')).subarray(0, 12)).toEqual(
      Buffer.from('ffffffffffffffffffffe282', 'hex'),
    );
  });

  it('needs little memory for any output without a line end, and its file has a limit', async () => {
    const grown = async (work: () => Promise<ToolResult>) => {
      const before = process.memoryUsage().rss;
      let peak = before;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 20);
      const result = await work();
      clearInterval(watch);
      return { result, bytes: peak - before };
    };
    // Used code and uncollected garbage, tens of MiB, are the same for less output; a host that
    // held the output would grow by all of it.
    const less = await grown(() => run('head -c 60000000 /dev/zero', { outputs: join(folder.path, 'warm') }));
    const { result, bytes } = await grown(() =>
      run(`head -c ${sweepOf(300_000_000, 1_000_000_000)} /dev/zero`, { maxOutputFileBytes: 1_000_000 }),
    );
    expect(result.isError).toBe(false);
    expect(result.text).toContain('result_open with id action shows the first 1000000 bytes of the output');
    expect(statSync(join(outputs, 'session', 'action.txt')).size).toBe(1_000_000);
    expect(bytes).toBeLessThan(Math.max(128 * 1024 ** 2, 1.5 * less.bytes));
  });

  it('says so when its file cannot be written, and still gives the result', async () => {
    const result = await run('seq 1 20000', { outputs: '/dev/null' });
    expect(result.isError).toBe(false);
    expect(result.text).toContain('the whole output could not be kept (ENOTDIR)');
  });
});

describe('a box that cannot be made', () => {
  it('gives an error and never a run', async () => {
    const refused = (): ChildProcess =>
      spawn('/bin/sh', ['-c', 'echo "bulkhead-launcher: no mount: errno 1" >&2; exit 125'], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    expect(await run('touch ran', { begin: live(refused) })).toEqual({
      text: 'the box could not be set up: no mount: errno 1; the command did not run',
      isError: true,
    });
    const throwing = (): ChildProcess => {
      throw new BulkheadError('sandbox_unavailable', 'no namespaces here');
    };
    expect((await run('touch ran', { begin: live(throwing) })).text).toContain(
      'could not be set up: no namespaces here',
    );
    const missing = (): ChildProcess => spawn('/nowhere/launcher', [], { stdio: ['ignore', 'pipe', 'pipe'] });
    expect((await run('touch ran', { begin: live(missing) })).text).toContain(
      'the box could not be set up: ',
    );
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('calls of other tools than bash', () => {
  it('is refused before anything starts [FT22]', async () => {
    const launch = (): ChildProcess => {
      throw new Error('started');
    };
    const host = createShellHost({ begin: live(launch), outputs, home: '/' });
    const signal = new AbortController().signal;
    const refuse = async (call: ToolHostCall) => (await host.execute(call, () => undefined, signal)).text;
    expect(await refuse({ ...callFor({ command: 'true' }), tool: 'read' })).toContain(
      'no shell tool is named read',
    );
    expect(await refuse({ ...testCall('read', { path: 'a' }), tool: 'bash' })).toContain(
      'no shell tool is named bash',
    );
    expect(await refuse(callFor({ command: 'true' }, '../x'))).toContain('no plain name');
  });
});
