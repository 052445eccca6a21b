import { mkdir, rm } from 'node:fs/promises';
import { create } from '@bufbuild/protobuf';
import type { BoxLimits } from '@bulkhead/processes/boxes/box-limits';
import { ripgrepPath } from '@bulkhead/processes/boxes/ripgrep-path';
import { spawnWorker } from '@bulkhead/processes/boxes/spawn-worker';
import type { ProbeGround } from '@bulkhead/processes/spawn/probe-ground';
import { spawnAgent } from '@bulkhead/processes/spawn/spawn-agent';
import { InitialToolDefsSchema } from '@bulkhead/protocol/agent';
import type { ProvenSandbox } from './open-sandbox.ts';

export interface TryProcess extends Pick<ProvenSandbox, 'sandbox' | 'nameSpaces'> {
  readonly ground: ProbeGround;
  readonly dist: string;
  readonly nodePath: string;
  readonly limits: BoxLimits;
}

const log = (): void => undefined;

/**
 * Starts an agent in the usual way, lets it make every attempt on its box, and ends it.
 *
 * @throws BulkheadError `sandbox_unavailable` naming the breaches; `agent_failed`
 */
export async function tryAgent(parts: TryProcess): Promise<void> {
  const { sandbox, nameSpaces, ground, dist, nodePath, limits } = parts;
  const agent = await spawnAgent({
    sandbox,
    nodePath,
    script: `${dist}/agent.mjs`,
    initialTools: create(InitialToolDefsSchema),
    selfProbe: { ground, nameSpaces: nameSpaces.agent, thorough: true },
    limits: limits.agent,
    log,
  });
  agent.kill();
  await agent.connection.closed;
}

/**
 * The same for a worker.
 *
 * @param parts.home no worker reads it
 * @param parts.folder of the worker's grant: created anew and removed
 * @throws BulkheadError `sandbox_unavailable` naming the breaches; `worker_failed`
 */
export async function tryWorker(
  parts: TryProcess & { readonly home: string; readonly folder: string },
): Promise<void> {
  const { sandbox, nameSpaces, ground, dist, nodePath, limits, home, folder } = parts;
  await rm(folder, { recursive: true, force: true });
  await mkdir(`${folder}/work`, { recursive: true, mode: 0o700 });
  try {
    const own = {
      sandbox,
      nodePath,
      script: `${dist}/worker.mjs`,
      selfProbe: { ground, nameSpaces: nameSpaces.worker, thorough: true },
      limits: limits.worker,
      ripgrepPath: ripgrepPath(),
      home,
      outputsOf: () => `${folder}/outputs`,
      // The folder is new and empty, and no file in it is read.
      protectedFiles: {
        answerer: () => async (objects: readonly unknown[]) => objects.map(() => true),
        shownIn: () => [],
      },
      log,
    };
    const { connection } = await spawnWorker(own, { sessionId: '', workingFolder: `${folder}/work` });
    await connection.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
