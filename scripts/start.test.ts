import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/*
 * A checkout in miniature: the real set-up scripts and launcher, an `npm` that makes
 * `node_modules`, and a build whose `cli.js` reports its arguments.
 */
const checkout = dirname(import.meta.dirname);
let root: string;
let running: ChildProcess[];

const FAKE_NPM = `
  import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  appendFileSync('npm.log', JSON.stringify(process.argv.slice(2)) + '\\n');
  if (existsSync('npm-fails')) { console.error('npm error code ENOTFOUND'); process.exit(1); }
  rmSync('node_modules', { recursive: true, force: true });
  mkdirSync('node_modules');
  if (existsSync('npm-hangs')) await sleep(600_000);
  await sleep(300);
  const folder = 'node_modules/node-' + process.platform + '-' + process.arch + '/bin';
  mkdirSync(folder, { recursive: true });
  symlinkSync(process.execPath, folder + '/node');
`;

const FAKE_BUILD = `
  import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
  import { sourceStamp } from './set-up/source-stamp.mjs';
  appendFileSync('build.log', 'build\\n');
  if (existsSync('build-fails')) { console.error('main.ts:1: no such thing'); process.exit(1); }
  mkdirSync('dist', { recursive: true });
  rmSync('dist/node', { force: true });
  symlinkSync('../node_modules/node-' + process.platform + '-' + process.arch + '/bin/node', 'dist/node');
  writeFileSync('dist/cli.js', \`
    const { NODE_OPTIONS, npm_config_cache } = process.env;
    console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), NODE_OPTIONS, npm_config_cache }));
    const [verb, value] = process.argv.slice(2);
    if (verb === 'exit') process.exit(Number(value));
    if (verb === 'wait') {
      process.on('SIGTERM', () => process.exit(7));
      setTimeout(() => undefined, 600_000);
    }
    if (verb === 'die') process.kill(process.pid, value);
  \`);
  writeFileSync('dist/build.json', JSON.stringify({ source: sourceStamp(process.cwd()) }));
`;

beforeEach(async () => {
  running = [];
  root = await mkdtemp(join(tmpdir(), 'bulkhead-start-'));
  await mkdir(join(root, 'scripts'));
  await mkdir(join(root, 'packages/a/src'), { recursive: true });
  await cp(join(checkout, 'scripts/set-up'), join(root, 'scripts/set-up'), { recursive: true });
  await copyFile(join(checkout, 'scripts/start.mjs'), join(root, 'scripts/start.mjs'));
  await copyFile(join(checkout, 'bulkhead'), join(root, 'bulkhead'));
  await chmod(join(root, 'bulkhead'), 0o755);
  await writeFile(join(root, 'package.json'), '{ "type": "module" }');
  await writeFile(join(root, 'package-lock.json'), '{}');
  await writeFile(join(root, 'scripts/build.ts'), FAKE_BUILD);
  await writeFile(join(root, 'npm-cli.js'), FAKE_NPM);
});

afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(root, { recursive: true, force: true });
});

describe('npm start', () => {
  it('installs, builds and runs the command; the second time it only runs it', async () => {
    const first = await start(['run', 'a b']);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ args: ['run', 'a b'] });
    expect(first.stderr).toMatch(/Installing dependencies: done \([\d.]+ s\)\n.*Building: done/s);
    const second = await start([]);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(second.stdout)).toMatchObject({ args: [] });
    expect(await lines('npm.log')).toHaveLength(1);
    expect(await lines('build.log')).toHaveLength(1);
  });

  it('never runs install scripts, and installs all kinds of packages', async () => {
    await start([]);
    const [call] = await lines('npm.log');
    expect(JSON.parse(call ?? '')).toEqual(
      expect.arrayContaining([
        'ci',
        '--ignore-scripts',
        '--include=dev',
        '--include=optional',
        '--loglevel=error',
      ]),
    );
  });

  it('installs again when the lock file changes, and builds again when a source does', async () => {
    await start([]);
    await writeFile(join(root, 'package-lock.json'), '{ }');
    await start([]);
    expect(await lines('npm.log')).toHaveLength(2);
    expect(await lines('build.log')).toHaveLength(2);
    await writeFile(join(root, 'packages/a/src/new.ts'), '');
    await start([]);
    expect(await lines('npm.log')).toHaveLength(2);
    expect(await lines('build.log')).toHaveLength(3);
  });

  it('says what failed and how to mend it, and tries again the next time', async () => {
    await writeFile(join(root, 'npm-fails'), '');
    const failed = await start([]);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('registry could not be reached');
    await rm(join(root, 'npm-fails'));
    await writeFile(join(root, 'build-fails'), '');
    const unbuilt = await start([]);
    expect(unbuilt).toMatchObject({ code: 1, stdout: '' });
    expect(unbuilt.stderr).toContain('main.ts:1: no such thing');
    await rm(join(root, 'build-fails'));
    expect(await start([])).toMatchObject({ code: 0 });
  });

  it('starts over after an interrupted install', async () => {
    await writeFile(join(root, 'npm-hangs'), '');
    const interrupted = launch([]);
    await untilSaid(interrupted, 'Installing');
    await untilLogged('npm.log');
    interrupted.child.kill('SIGINT');
    expect(await interrupted.end).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('Interrupted'),
    });
    await rm(join(root, 'npm-hangs'));
    expect(await start([])).toMatchObject({ code: 0 });
    expect(await lines('npm.log')).toHaveLength(2);
  });

  it('lets two at once install and build only once', async () => {
    const both = await Promise.all([start(['a']), start(['b'])]);
    expect(both.map((one) => one.code)).toEqual([0, 0]);
    expect(await lines('npm.log')).toHaveLength(1);
    expect(await lines('build.log')).toHaveLength(1);
    expect(both.map((one) => one.stderr).join('')).toContain('Waiting for another set-up');
  });

  it('keeps the exit code, passes signals on, and dies of what the command died of', async () => {
    expect(await start(['exit', '5'])).toMatchObject({ code: 5 });
    expect(await start(['die', 'SIGKILL'])).toMatchObject({ code: null, signal: 'SIGKILL' });
    const waiting = launch(['wait']);
    await untilSaid(waiting, '"args"');
    waiting.child.kill('SIGTERM');
    expect(await waiting.end).toMatchObject({ code: 7 });
  });

  it('runs where the person is, without what npm added', async () => {
    await start([]);
    const env = { npm_lifecycle_event: 'start', INIT_CWD: join(root, 'packages'), npm_config_cache: '/x' };
    expect(JSON.parse((await start([], env)).stdout)).toEqual({ args: [], cwd: join(root, 'packages') });
  });
});

describe('./bulkhead', () => {
  it('sets up automatically when nothing is built', async () => {
    const result = await end(spawnIn(root, join(root, 'bulkhead'), ['x']));
    expect(result).toMatchObject({ code: 0 });
    expect(JSON.parse(result.stdout)).toMatchObject({ args: ['x'] });
  });

  it('finds its folder through links, from any folder, and keeps arguments as they are', async () => {
    await start([]);
    await mkdir(join(root, 'bin'));
    await symlink('../bulkhead', join(root, 'bin/one'));
    await symlink(join(root, 'bin/one'), join(root, 'bin/two'));
    for (const command of [join(root, 'bin/one'), join(root, 'bin/two'), './one']) {
      const result = await end(spawnIn(join(root, 'bin'), command, ['a  b', '', '$x']));
      expect(JSON.parse(result.stdout)).toEqual({ args: ['a  b', '', '$x'], cwd: join(root, 'bin') });
    }
  });

  it('keeps options for Node.js in the environment away from the command', async () => {
    await start([]);
    const result = await end(
      spawnIn(root, join(root, 'bulkhead'), [], { NODE_OPTIONS: '--require=/no/such/file.js' }),
    );
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).not.toHaveProperty('NODE_OPTIONS');
  });
});

interface Run {
  readonly child: ChildProcess;
  readonly end: Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>;
  said(): string;
}

function start(args: string[], env: NodeJS.ProcessEnv = {}): Run['end'] {
  return launch(args, env).end;
}

function launch(args: string[], env: NodeJS.ProcessEnv = {}): Run {
  return spawnIn(root, process.execPath, [join(root, 'scripts/start.mjs'), ...args], env);
}

function end(run: Run): Run['end'] {
  return run.end;
}

function spawnIn(cwd: string, command: string, args: string[], env: NodeJS.ProcessEnv = {}): Run {
  const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
  const child = spawn(command, args, {
    cwd,
    env: { PATH, npm_execpath: join(root, 'npm-cli.js'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = once(child, 'close').then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
    stdout,
    stderr,
  }));
  return { child, end: closed, said: () => stdout + stderr };
}

async function untilSaid(run: Run, text: string): Promise<void> {
  await expect.poll(run.said).toContain(text);
}

async function untilLogged(name: string): Promise<void> {
  await expect.poll(() => lines(name)).toHaveLength(1);
}

async function lines(name: string): Promise<string[]> {
  const text = await readFile(join(root, name), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}
