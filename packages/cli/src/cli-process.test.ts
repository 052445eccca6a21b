import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@bulkhead/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleForTest } from './testing/bundle.ts';
import { testHome } from './testing/test-home.ts';

interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

class Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  out = '';
  err = '';

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
    this.finished = new Promise((resolve) =>
      child.once('close', (code) => resolve({ code, out: this.out, err: this.err })),
    );
  }

  async until(text: string): Promise<void> {
    for (let tries = 0; !(this.out + this.err).includes(text); tries++) {
      if (tries > 500) throw new Error(`waited too long for ${text}`);
      await sleep(20);
    }
  }
}

describe('the command as a process', () => {
  let bundle: Awaited<ReturnType<typeof bundleForTest>>;
  let home: ReturnType<typeof testHome>;

  beforeAll(async () => {
    bundle = await bundleForTest();
  });

  afterAll(() => bundle[Symbol.dispose]());

  beforeEach(() => {
    home = testHome();
  });

  afterEach(async () => {
    await start(['stop']).finished;
    home[Symbol.dispose]();
  });

  function start(argv: readonly string[], env: Record<string, string> = {}): Running {
    const child = spawn(process.execPath, [bundle.cli, ...argv], {
      env: { ...process.env, BULKHEAD_HOME: home.layout.root, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Running(child);
  }

  const call = (argv: readonly string[], env: Record<string, string> = {}) => start(argv, env).finished;

  async function supervisorPid(): Promise<number> {
    return JSON.parse((await call(['status', '--json'])).out).supervisor;
  }

  it('says so where the folder it is started in is gone', async () => {
    const gone = `${home.layout.root}/gone`;
    mkdirSync(gone, { recursive: true });
    const script = 'cd "$1"; rmdir "$1"; shift; exec "$@"';
    const argv = ['-c', script, 'sh', gone, process.execPath, bundle.cli, 'run', 'x'];
    const child = spawn('/bin/sh', argv, { env: { BULKHEAD_HOME: home.layout.root } });
    const { code, err } = await new Running(child).finished;
    expect(err).toContain('the current folder does not exist any more. Go to another folder');
    expect(code).toBe(2);
  });

  it('starts an engine for run, leaves it running, and stop ends it [I1]', async () => {
    expect(await call(['run', 'hi'])).toEqual({ code: 0, out: 'from the process\n', err: '' });
    const pid = await supervisorPid();
    expect(isAlive(pid)).toBe(true);
    expect(await call(['run', 'hi'])).toMatchObject({ code: 0 });
    expect(await supervisorPid()).toBe(pid);
    expect(await call(['stop'])).toEqual({ code: 0, out: 'stopped\n', err: '' });
    expect(isAlive(pid)).toBe(false);
    expect(await call(['stop'])).toMatchObject({ code: 0, err: '' });
  });

  it('lets two that start at once share one engine', async () => {
    const env = { FAKE_DELAY: '300' };
    const both = await Promise.all([call(['run', 'hi'], env), call(['run', 'hi'], env)]);
    for (const one of both) expect(one).toEqual({ code: 0, out: 'from the process\n', err: '' });
  });

  it('refuses a second engine on the same home in one line', async () => {
    const FAKE_NOTICE = 'port 7411 on 127.0.0.1 is taken';
    const first = await call(['start', '--daemon'], { FAKE_NOTICE });
    expect(first).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`note: ${FAKE_NOTICE}\n`) });
    const second = await call(['start', '--daemon']);
    expect(second).toMatchObject({ code: 1, out: '' });
    expect(second.err).toMatch(
      /^bulkhead: an engine runs on .* already \(process \d+\)\. .*`bulkhead stop`.*\n$/,
    );
  });

  it('starts, restarts and stops for programs, one JSON line each [I1]', async () => {
    const facts = async (...argv: string[]) => JSON.parse((await call([...argv, '--json'])).out);
    const started = await facts('start', '--daemon');
    expect(started).toMatchObject({ running: true, http: 'http://127.0.0.1:7411' });
    expect([started.supervisor > 1, started.engine > 1]).toEqual([true, true]);
    expect(await facts('stop')).toEqual({ stopped: true, home: started.home, unfinished: 0 });
    expect(await facts('stop')).toEqual({ stopped: false, home: started.home });
    expect(await facts('restart')).toMatchObject({ wasRunning: false });
  });

  it('passes on what the supervisor reports when it can not start', async () => {
    expect(await call(['run', 'hi'], { FAKE_SUPERVISOR: 'failed' })).toEqual({
      code: 1,
      out: '',
      err: 'bulkhead: config.yaml line 3: unknown key "modles". Say "models".\n',
    });
  });

  it('stays in the foreground until a signal ends it, then ends the engine [I1]', async () => {
    for (const argv of [['start'], []]) {
      const running = start(argv);
      await running.until('http://127.0.0.1:7411');
      const pid = await supervisorPid();
      expect(running.child.exitCode).toBeNull();
      running.child.kill('SIGTERM');
      expect((await running.finished).code).toBe(0);
      expect(isAlive(pid)).toBe(false);
    }
  });

  it('ends in the foreground when somebody else stops the engine', async () => {
    const running = start(['start']);
    await running.until('http://127.0.0.1:7411');
    expect((await call(['stop'])).code).toBe(0);
    expect(await running.finished).toMatchObject({ code: 0, err: '' });
  });

  it('joins a running engine when called without a command, and leaves it running', async () => {
    await call(['start', '--daemon']);
    const running = start([]);
    await running.until('http://127.0.0.1:7411');
    running.child.kill('SIGINT');
    expect((await running.finished).code).toBe(0);
    expect((await call(['status'])).code).toBe(0);
  });

  it('uses a private engine with --isolated and ends it', async () => {
    expect(await call(['run', '--isolated', 'hi'])).toEqual({
      code: 0,
      out: 'from the process, isolated\n',
      err: '',
    });
    expect((await call(['status'])).out).toContain('not running');
    await call(['start', '--daemon']);
    expect(await call(['run', '--isolated', 'hi'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('an engine runs on'),
    });
  });

  it('leaves no private engine behind, even when killed', async () => {
    const running = start(['run', '--isolated', '--json', 'ignore everything']);
    await running.until('agent_start');
    const pid = await supervisorPid();
    running.child.kill('SIGKILL');
    await running.finished;
    for (let tries = 0; isAlive(pid) && tries < 250; tries++) await sleep(20);
    expect(isAlive(pid)).toBe(false);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('cancels its run at %s and exits 130 [I1]', async (signal) => {
    const running = start(['run', '--json', 'wait']);
    await running.until('agent_start');
    running.child.kill(signal);
    const { code, out, err } = await running.finished;
    expect({ code, err }).toEqual({ code: 130, err: '' });
    expect(out).toContain('"outcome":"aborted"');
  });

  it('exits at once at the second signal, and long after the first alone', async () => {
    const [once, twice] = [1, 2].map(() => start(['run', '--json', 'ignore everything']));
    if (once === undefined || twice === undefined) throw new Error('nothing was started');
    await Promise.all([once.until('agent_start'), twice.until('agent_start')]);
    once.child.kill('SIGINT');
    twice.child.kill('SIGINT');
    await sleep(100);
    twice.child.kill('SIGINT');
    const first = await Promise.race([once.finished.then(() => 'once'), twice.finished.then(() => 'twice')]);
    expect(first).toBe('twice');
    expect([(await twice.finished).code, (await once.finished).code]).toEqual([130, 130]);
  });

  it('says nothing when its reader leaves', async () => {
    const running = start(['run', '--json', 'a lot']);
    await running.until('agent_start');
    running.child.stdout?.destroy();
    const { err } = await running.finished;
    expect(err).toBe('');
  });

  it('ends an engine that hangs, by its lock', async () => {
    mkdirSync(home.layout.run, { recursive: true });
    const hanging = start(['start', '--daemon'], { FAKE_DELAY: '60000' });
    for (let tries = 0; readLock() === 0 && tries < 250; tries++) await sleep(20);
    const pid = readLock();
    expect(isAlive(pid)).toBe(true);
    writeFileSync(home.layout.socket, '');
    expect(await call(['stop'])).toEqual({ code: 0, out: 'stopped\n', err: '' });
    expect(isAlive(pid)).toBe(false);
    expect((await hanging.finished).code).toBe(1);
  });

  function readLock(): number {
    try {
      return Number(readFileSync(`${home.layout.lock}.pid`, 'utf8'));
    } catch {
      return 0;
    }
  }

  it('prints no stack trace for bad input', async () => {
    const inputs = [
      ['--nope'],
      ['run'],
      ['run', '--cwd', '/etc/passwd', 'x'],
      ['processes', 'list'],
      ['token'],
    ];
    for (const argv of inputs) {
      const { code, err, out } = await call(argv);
      expect(code).toBeGreaterThan(0);
      expect(out).toBe('');
      expect(err).toMatch(/^bulkhead: [^\n]+\n$/);
    }
  });
});
