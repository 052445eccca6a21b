import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StartedEngine, startEngine } from './start-engine.ts';

describe('startEngine', () => {
  let root: string;
  let layout: HomeLayout;
  let started: StartedEngine | undefined;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'bulkhead-start-'));
    layout = homeLayout(join(root, 'home'));
  });

  afterEach(async () => {
    if (started !== undefined) {
      started.keep();
      if (isAlive(started.supervisorPid)) process.kill(started.supervisorPid, 'SIGKILL');
      await started.ended;
    }
    started = undefined;
    rmSync(root, { recursive: true, force: true });
  });

  /** A short supervisor; `say` writes a report. */
  function supervisor(lines: string): URL {
    const path = join(root, 'supervisor.mjs');
    const head = `import { closeSync, writeFileSync, writeSync } from 'node:fs';
      const say = (value) => writeSync(3, JSON.stringify(value) + '\\n');\n`;
    writeFileSync(path, head + lines);
    return pathToFileURL(path);
  }

  function isAlive(pid: number): boolean {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  }

  it('gives pids and address once the supervisor is ready, in a private home, with the environment', async () => {
    const url = supervisor(`
      writeFileSync(process.env.BULKHEAD_HOME + '/seen', JSON.stringify([process.env.SOME_KEY, process.argv.slice(2)]));
      console.log('to the log');
      say({ type: 'progress', text: 'opening' });
      say({ type: 'ready', engine_pid: 4711, http: 'http://127.0.0.1:1' });
      closeSync(3);
      setInterval(() => {}, 1000);`);
    const heard: string[] = [];
    started = await startEngine(layout, {
      supervisor: url,
      env: { SOME_KEY: 'k' },
      progress: (text) => heard.push(text),
    });
    expect(started).toMatchObject({ enginePid: 4711, http: 'http://127.0.0.1:1' });
    expect(heard).toEqual(['opening']);
    expect(isAlive(started.supervisorPid)).toBe(true);
    expect(JSON.parse(readFileSync(`${layout.root}/seen`, 'utf8'))).toEqual(['k', []]);
    expect(readFileSync(`${layout.logs}/supervisor.log`, 'utf8')).toContain('to the log');
    expect(statSync(layout.root).mode & 0o777).toBe(0o700);
  });

  it('throws what the supervisor reports', async () => {
    const url = supervisor(
      `say({ type: 'failed', code: 'already_running', message: 'pid 7 holds it', fix: 'Stop it.' });`,
    );
    const start = startEngine(layout, { supervisor: url, env: {} });
    await expect(start).rejects.toMatchObject({
      code: 'already_running',
      message: 'pid 7 holds it',
      fix: 'Stop it.',
    });
  });

  it('says where to look when the supervisor ends without a word', async () => {
    const start = startEngine(layout, { supervisor: supervisor('process.exit(3)'), env: {} });
    await expect(start).rejects.toMatchObject({
      code: 'not_available',
      fix: expect.stringContaining(`${layout.logs}/supervisor.log`),
    });
  });

  it('ends a supervisor that is not ready in time', async () => {
    const url = supervisor('setInterval(() => {}, 1000);');
    await expect(startEngine(layout, { supervisor: url, env: {}, readyMs: 700 })).rejects.toMatchObject({
      code: 'timeout',
    });
    await waitFor(() => !isRunning(url));
  });

  it('stops starting when its signal fires', async () => {
    const url = supervisor('setInterval(() => {}, 1000);');
    const start = startEngine(layout, { supervisor: url, env: {}, signal: AbortSignal.timeout(100) });
    await expect(start).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('names a home that can not be written', async () => {
    writeFileSync(join(root, 'home'), 'a file where the home should be');
    const start = startEngine(layout, { supervisor: supervisor(''), env: {} });
    await expect(start).rejects.toMatchObject({
      code: 'not_available',
      message: expect.stringContaining(layout.root),
    });
  });

  it('gives an isolated engine a standard input that ends with its starter', async () => {
    const url = supervisor(`
      process.stdin.on('end', () => process.exit(0)).resume();
      say({ type: 'ready', engine_pid: process.pid, http: process.argv.slice(2).join(' ') });
      closeSync(3);`);
    const start = { supervisor: url, env: {} };
    const isolated = await startEngine(layout, { ...start, isolated: true });
    expect(isolated.http).toBe('--isolated');
    await sleep(100);
    expect(isAlive(isolated.supervisorPid)).toBe(true);
    process.kill(isolated.supervisorPid, 'SIGKILL');
    await isolated.ended;
    const plain = await startEngine(layout, start);
    await plain.ended;
  });
});

function isRunning(program: URL): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(fileURLToPath(program));
    } catch {
      return false;
    }
  });
}

async function waitFor(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 3_000) throw new Error('waited too long');
    await sleep(20);
  }
}
