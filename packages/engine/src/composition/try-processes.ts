import { mkdir, rm } from 'node:fs/promises';
import { create } from '@bufbuild/protobuf';
import { InitialToolDefsSchema } from '@bulkhead/protocol/agent';
import type { Sandbox } from '@bulkhead/sandbox';
import type { BoxLimits } from '../processes/box-limits.ts';
import type { ProbeGround } from '../processes/probe-ground.ts';
import { ripgrepPath } from '../processes/ripgrep-path.ts';
import { spawnAgent } from '../processes/spawn-agent.ts';
import { spawnWorker } from '../processes/spawn-worker.ts';

/**
 * Starts an agent and a worker as they will be started, lets each make every attempt on its box, and ends them.
 *
 * @param parts.folder of the worker's grant, made anew and taken away
 * @throws BulkheadError `sandbox_unavailable` naming what got through; `agent_failed`, `worker_failed`
 */
export async function tryProcesses(parts: {
  readonly sandbox: Sandbox;
  readonly nameSpaces: { readonly agent: boolean; readonly worker: boolean };
  readonly ground: ProbeGround;
  readonly dist: string;
  readonly nodePath: string;
  readonly home: string;
  readonly limits: BoxLimits;
  readonly folder: string;
}): Promise<void> {
  const { sandbox, nameSpaces, ground, dist, nodePath, home, limits, folder } = parts;
  const log = (): void => undefined;
  const tryAgent = async (): Promise<void> => {
    const selfProbe = { ground, nameSpaces: nameSpaces.agent, thorough: true };
    const initialTools = create(InitialToolDefsSchema);
    const script = `${dist}/agent.mjs`;
    const agent = await spawnAgent({
      sandbox,
      nodePath,
      script,
      initialTools,
      selfProbe,
      limits: limits.agent,
      log,
    });
    agent.kill();
    await agent.connection.closed;
  };
  const tryWorker = async (): Promise<void> => {
    const selfProbe = { ground, nameSpaces: nameSpaces.worker, thorough: true };
    const outputsOf = (): string => `${folder}/outputs`;
    const script = `${dist}/worker.mjs`;
    const workerParts = {
      sandbox,
      nodePath,
      script,
      selfProbe,
      limits: limits.worker,
      ripgrepPath: ripgrepPath(),
      home,
      outputsOf,
      closed: () => [],
      log,
    };
    const session = { sessionId: '', workingFolder: `${folder}/work` };
    const { connection } = await spawnWorker(workerParts, session);
    await connection.close();
  };
  await rm(folder, { recursive: true, force: true });
  await mkdir(`${folder}/work`, { recursive: true, mode: 0o700 });
  try {
    await Promise.all([tryAgent(), tryWorker()]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
