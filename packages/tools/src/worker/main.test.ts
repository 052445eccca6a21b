import { linkSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serveWorker } from '../serve-worker.ts';
import { TemporaryFolder } from '../testing/temporary-folder.ts';
import { sha256, treeState } from '../testing/tree-state.ts';
import { bundleWorker, WorkerProcess } from '../testing/worker-process.ts';
import type { WorkerCall } from '../worker-connection.ts';

const TOKEN = 'a-fresh-token';
const quiet = () => undefined;
const never = () => new AbortController().signal;

let shared: TemporaryFolder;
let bundle: string;
let folder: TemporaryFolder;
let actions = 0;

beforeAll(async () => {
  shared = new TemporaryFolder();
  bundle = join(shared.path, 'worker.mjs');
  await bundleWorker(bundle);
});

afterAll(() => shared[Symbol.dispose]());

beforeEach(() => {
  folder = new TemporaryFolder();
});

afterEach(() => folder[Symbol.dispose]());

function call(tool: string, args: unknown, canonical = JSON.stringify(args)): WorkerCall {
  actions += 1;
  return {
    actionId: `action-${actions}`,
    tool,
    canonicalArguments: canonical,
  };
}

function startWorker(roots: readonly string[] = [`rw:${folder.path}`], token = TOKEN): WorkerProcess {
  return new WorkerProcess(bundle, token, roots);
}

async function failure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (BulkheadError.is(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('a real worker process', () => {
  it('shows its token, runs tools in its grant and ends on request [B1, B2, P5]', async () => {
    await using worker = startWorker();
    const connection = await serveWorker(worker.connection, TOKEN, 60_000);
    expect(connection.pid).toBe(worker.child.pid);
    const run = (tool: string, args: unknown) => connection.run(call(tool, args), quiet, never());
    expect(await run('write', { path: 'a.txt', content: 'hello\n' })).toEqual({
      text: 'created a.txt (6 bytes)',
      isError: false,
      display: '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+hello\n',
    });
    expect(await run('read', { path: 'a.txt' })).toEqual({ text: 'hello', isError: false });
    expect(await run('grep', { pattern: 'hel+o' })).toEqual({ text: 'a.txt:1: hello', isError: false });
    expect(await run('find', { pattern: '*' })).toEqual({ text: 'a.txt', isError: false });
    await connection.close();
    expect(await worker.exited).toBe(0);
    expect(worker.stderr).toBe('');
  });

  it('answers errors, unknown tools and nonsense as results, and lives on', async () => {
    await using worker = startWorker();
    const connection = await serveWorker(worker.connection, TOKEN, 60_000);
    const answers = await Promise.all(
      [
        call('read', { path: '../x' }),
        call('read', { path: 1 }),
        call('bash', { command: 'true' }),
        call('toString', {}),
        call('read', null, '{"path":'),
        call('read', null, ''),
        call('read', null, `{"path":${'['.repeat(100_000)}`),
        call('read', null, '{"__proto__":{"path":"x"}}'),
      ].map((one) => connection.run(one, quiet, never())),
    );
    expect(answers.map(({ isError }) => isError)).toEqual(answers.map(() => true));
    expect(answers[2]?.text).toContain('this worker has no tool bash');
    expect(answers[4]?.text).toBe('the arguments are not valid JSON');
    expect((await connection.run(call('ls', {}), quiet, never())).text).toBe('0 entries');
    await connection.close();
  });

  it('runs exactly the bytes that were judged: an action of another tool is refused [FR4]', async () => {
    await using worker = startWorker();
    const connection = await serveWorker(worker.connection, TOKEN, 60_000);
    const judged = JSON.stringify({ arguments: { path: '.' }, tool: 'ls' });
    expect((await connection.run(call('ls', null, judged), quiet, never())).text).toBe('0 entries');
    expect(await connection.run(call('read', null, judged), quiet, never())).toEqual({
      text: 'the judged call is not one of read',
      isError: true,
    });
    await connection.close();
  });

  it('runs calls side by side and serialises changes of one file [L4, B2]', async () => {
    await using worker = startWorker();
    const connection = await serveWorker(worker.connection, TOKEN, 60_000);
    const marks = Array.from({ length: 30 }, (_, index) => `<${index}>`);
    await connection.run(call('write', { path: 'a', content: marks.join('\n') }), quiet, never());
    const results = await Promise.all(
      marks.map((mark) =>
        connection.run(call('edit', { path: 'a', old_text: mark, new_text: mark.slice(1) }), quiet, never()),
      ),
    );
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    expect(readFileSync(join(folder.path, 'a'), 'utf8')).toBe(marks.map((mark) => mark.slice(1)).join('\n'));
    await connection.close();
  });

  it('stops a cancelled call and goes on with others [L4]', async () => {
    writeFileSync(join(folder.path, 'big'), 'needle\n'.repeat(3_000_000));
    for (let index = 0; index < 300; index += 1) {
      linkSync(join(folder.path, 'big'), join(folder.path, `big${index}`));
    }
    await using worker = startWorker();
    const connection = await serveWorker(worker.connection, TOKEN, 60_000);
    const controller = new AbortController();
    const slow = connection.run(call('grep', { pattern: 'n[a-z]*x' }), quiet, controller.signal);
    setTimeout(() => controller.abort(), 30);
    expect(await slow).toEqual({ text: 'cancelled', isError: true });
    expect(await connection.run(call('ls', {}), quiet, AbortSignal.abort())).toEqual({
      text: 'cancelled',
      isError: true,
    });
    expect((await connection.run(call('ls', {}), quiet, never())).text).toContain('301 entries');
    await connection.close();
  });

  it('plans without doing, and looks at files [A5, T8]', async () => {
    await using worker = startWorker();
    const connection = await serveWorker(worker.connection, TOKEN, 60_000);
    writeFileSync(join(folder.path, 'a'), 'one');
    const before = treeState(folder.path);
    const write = (path: string) => call('write', { path, content: 'two' });
    expect(await connection.plan(write('n/a'), never())).toEqual({
      text: 'would make the folder n and create n/a (3 bytes)\n--- /dev/null\n+++ b/n/a\n@@ -0,0 +1,1 @@\n+two\n\\ No newline at end of file\n',
      isError: false,
      changes: [{ path: 'n/a', before: null, after: sha256('two') }],
    });
    for (const one of [write('../a'), call('bash', { command: 'rm a' }), call('write', null, '{')]) {
      expect(await connection.plan(one, never())).toMatchObject({ isError: true, changes: [] });
    }
    expect((await connection.plan(call('read', { path: 'a' }), never())).text).toMatch(/^would read a /);
    expect(treeState(folder.path)).toEqual(before);
    expect(await connection.inspect('action', ['a', 'n/a', '.', '../a', '.env'], never())).toEqual([
      { path: 'a', hash: sha256('one') },
      { path: 'n/a', hash: null },
      { path: '.', hash: undefined },
      { path: '../a', hash: undefined },
      { path: '.env', hash: undefined },
    ]);
    const paths = Array.from({ length: 64 }, (_, at) => `${at}/${'x'.repeat(200)}`);
    expect((await connection.inspect('action', paths, never())).map(({ hash }) => hash)).toEqual(
      paths.map(() => null),
    );
    await connection.close();
  });

  it('stops looking when it is cancelled, and goes on with calls [T8]', async () => {
    for (let index = 0; index < 64; index += 1) {
      writeFileSync(join(folder.path, `${index}`), '');
      truncateSync(join(folder.path, `${index}`), 64 * 1024 * 1024);
    }
    await using worker = startWorker();
    const connection = await serveWorker(worker.connection, TOKEN, { readyMs: 5_000, graceMs: 1_000 });
    const controller = new AbortController();
    const paths = Array.from({ length: 64 }, (_, index) => `${index}`);
    const looked = failure(connection.inspect('action', paths, controller.signal));
    setTimeout(() => controller.abort(), 50);
    expect(await looked).toBe('cancelled: cancelled');
    expect((await connection.run(call('ls', {}), quiet, never())).text).toContain('64 entries');
    await connection.close();
  });

  it('carries a write at the limit of its arguments', async () => {
    await using worker = startWorker();
    const connection = await serveWorker(worker.connection, TOKEN, 60_000);
    const content = '\u0001'.repeat(4 * 1024 * 1024);
    expect((await connection.run(call('write', { path: 'big', content }), quiet, never())).isError).toBe(
      false,
    );
    expect(statSync(join(folder.path, 'big')).size).toBe(content.length);
    await connection.close();
  });

  it('ends its open calls when it dies [FT78]', async () => {
    await using worker = startWorker();
    const connection = await serveWorker(worker.connection, TOKEN, 60_000);
    worker.child.kill('SIGSTOP');
    const open = [call('ls', {}), call('read', { path: 'x' })].map((one) =>
      failure(connection.run(one, quiet, never())),
    );
    worker.child.kill('SIGKILL');
    for (const outcome of await Promise.all(open)) expect(outcome).toMatch(/^worker_failed: /);
    await connection.closed;
    expect(await failure(connection.run(call('ls', {}), quiet, never()))).toMatch(/^worker_failed: /);
    await connection.close();
  });

  it('is given up when it does not answer a cancellation or a shutdown in time', async () => {
    await using worker = startWorker();
    const connection = await serveWorker(worker.connection, TOKEN, { readyMs: 5_000, graceMs: 100 });
    worker.child.kill('SIGSTOP');
    const controller = new AbortController();
    const hung = failure(connection.run(call('ls', {}), quiet, controller.signal));
    controller.abort();
    expect(await hung).toBe('worker_failed: the worker did not answer a cancellation');
    await using second = startWorker();
    const other = await serveWorker(second.connection, TOKEN, { readyMs: 5_000, graceMs: 100 });
    second.child.kill('SIGSTOP');
    await other.close();
  });

  it('ends when its engine is gone', async () => {
    await using worker = startWorker();
    await serveWorker(worker.connection, TOKEN, 60_000);
    worker.connection.destroy();
    expect(await worker.exited).toBe(0);
    expect(worker.stderr).toBe('');
  });

  it('is refused with a wrong token, and refuses a command line it does not understand [P5]', async () => {
    await using impostor = startWorker(undefined, 'another-token');
    expect(await failure(serveWorker(impostor.connection, TOKEN, 60_000))).toBe(
      'worker_failed: the worker has the token of another',
    );
    await using lost = startWorker([`rw:${folder.path}/none`]);
    expect(await failure(serveWorker(lost.connection, TOKEN, 60_000))).toMatch(/^worker_failed: /);
    expect(await lost.exited).toBe(2);
    expect(lost.stderr).toMatch(/^bulkhead worker: .*no such file/);
    await using odd = startWorker([folder.path]);
    expect(await odd.exited).toBe(2);
  });
});
