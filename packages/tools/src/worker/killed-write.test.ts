import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type {} from '@bulkhead/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serveWorker } from '../serve-worker.ts';
import { TemporaryFolder } from '../testing/temporary-folder.ts';
import { sha256, treeState } from '../testing/tree-state.ts';
import { bundleWorker, WorkerProcess } from '../testing/worker-process.ts';
import type { WorkerCall, WorkerConnection } from '../worker-connection.ts';

const TOKEN = 'a-fresh-token';
/** The largest call: writing its bytes to disk takes time. */
const CONTENT = 'x'.repeat(4 * 1024 * 1024);
/** One of these attempts hits the moment between the file's creation and its rename. */
const KILLS = 20;
const never = () => new AbortController().signal;

let shared: TemporaryFolder;
let bundle: string;
let folder: TemporaryFolder;
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

const start = () => new WorkerProcess(bundle, TOKEN, [`rw:${folder.path}`]);
const serve = (worker: WorkerProcess) => serveWorker(worker.connection, TOKEN, 60_000);
const leftOvers = () => readdirSync(folder.path).filter((name) => name.endsWith('.tmp'));
const write = (actionId: string): WorkerCall => ({
  actionId,
  tool: 'write',
  canonicalArguments: JSON.stringify({ content: CONTENT, path: 'f' }),
});

/**
 * Kills a writing worker as soon as its temporary file appears. @returns false if the file was
 * renamed before
 */
async function killWhileWriting(actionId: string): Promise<boolean> {
  await using worker = start();
  const connection = await serve(worker);
  let ended = false;
  const call = connection.run(write(actionId), () => undefined, never()).catch(() => undefined);
  void call.then(() => {
    ended = true;
  });
  while (leftOvers().length === 0 && !ended) await setImmediate();
  worker.child.kill('SIGKILL');
  await worker.exited;
  return leftOvers().length > 0;
}

async function looked<Answer>(look: (connection: WorkerConnection) => Promise<Answer>): Promise<Answer> {
  await using worker = start();
  const connection = await serve(worker);
  const answer = await look(connection);
  await connection.close();
  return answer;
}

describe('a write whose worker was killed [T8] [FT77]', () => {
  it('leaves nothing beside its file once somebody looked what became of it', async () => {
    writeFileSync(join(folder.path, 'f'), 'before');
    let actionId = '';
    for (let kill = 0; actionId === '' && kill < KILLS; kill += 1)
      if (await killWhileWriting(`action-${kill}`)) actionId = `action-${kill}`;
    expect(leftOvers()).toEqual([`.bulkhead-${actionId}.tmp`]);
    const states = await looked((connection) => connection.inspect(actionId, ['f'], never()));
    expect([sha256('before'), sha256(CONTENT)]).toContain(states[0]?.hash);
    expect(readdirSync(folder.path)).toEqual(['f']);
  });

  it('takes nothing else along: other names, other folders, what is no file, what may not be written', async () => {
    for (const name of ['.git', 'sub', '.bulkhead-folder.tmp']) mkdirSync(join(folder.path, name));
    for (const name of ['.bulkhead-other.tmp', 'sub/.bulkhead-mine.tmp', '.git/.bulkhead-mine.tmp', 'f'])
      writeFileSync(join(folder.path, name), 'x');
    const before = treeState(folder.path);
    await looked(async (connection) => {
      for (const id of ['mine', 'folder', '', '../f', 'x/../../sub/.bulkhead-mine'])
        await connection.inspect(id, ['f', '.git/config', '../f', 'none/f', '.', 'sub'], never());
    });
    expect(treeState(folder.path)).toEqual(before);
  });
});
