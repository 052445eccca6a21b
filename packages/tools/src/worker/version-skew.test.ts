import { join } from 'node:path';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveWorker } from '../serve-worker.ts';
import { TemporaryFolder } from '../testing/temporary-folder.ts';
import { bundleWorker, WorkerProcess } from '../testing/worker-process.ts';

const OTHERS = [PROTOCOL_VERSION - 1, PROTOCOL_VERSION + 1];

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = new TemporaryFolder();
  for (const version of [PROTOCOL_VERSION, ...OTHERS]) await bundleWorker(bundleOf(version), version);
});
afterAll(() => folder[Symbol.dispose]());

function bundleOf(version: number): string {
  return join(folder.path, `worker-${version}.mjs`);
}

/** A worker of version `own` whose engine claims version `told`. */
function workerOf(own: number, told: number): WorkerProcess {
  return new WorkerProcess(bundleOf(own), 't', [`rw:${folder.path}`], told);
}

function skew(worker: number, engine: number): string {
  return `the worker speaks protocol version ${worker}, the engine ${engine}`;
}

describe('a worker and an engine of different versions', () => {
  it.each(OTHERS)('the worker, of version %i, refuses this engine and says why [FT100]', async (version) => {
    await using worker = workerOf(version, PROTOCOL_VERSION);
    await expect(serveWorker(worker.connection, 't', 60_000)).rejects.toMatchObject({
      code: 'worker_failed',
    });
    expect(await worker.exited).toBe(1);
    expect(worker.stderr).toBe(
      `bulkhead worker: ${skew(version, PROTOCOL_VERSION)}. Build both from the same sources\n`,
    );
  });

  it.each(OTHERS)(
    'this worker refuses an engine of version %i without a word to it [FT100]',
    async (version) => {
      await using worker = workerOf(PROTOCOL_VERSION, version);
      let heard = 0;
      worker.connection.on('data', (chunk: Buffer) => {
        heard += chunk.length;
      });
      expect(await worker.exited).toBe(1);
      expect(worker.stderr).toBe(
        `bulkhead worker: ${skew(PROTOCOL_VERSION, version)}. Build both from the same sources\n`,
      );
      expect(heard).toBe(0);
    },
  );

  it.each(OTHERS)('this engine refuses a worker of version %i that did not ask [FT100]', async (version) => {
    await using worker = workerOf(version, version);
    await expect(serveWorker(worker.connection, 't', 60_000)).rejects.toMatchObject({
      code: 'worker_failed',
      message: skew(version, PROTOCOL_VERSION),
      fix: 'Build both from the same sources',
    });
    expect(worker.connection.destroyed).toBe(true);
  });
});
