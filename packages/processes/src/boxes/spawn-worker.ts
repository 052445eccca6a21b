import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { boxedNodeArguments, type NodeLimits, type Sandbox } from '@bulkhead/sandbox';
import { serveWorker, type WorkerGuard } from '@bulkhead/tools';
import type { WorkerProcess } from '../pools/worker-pool.ts';
import { admitProbed, probeArguments, type SelfProbe } from '../spawn/self-probe.ts';
import { sparingNodeArguments } from '../spawn/sparing-node.ts';
import { channelOf, followStderr, startFailed } from '../spawn/spawn-agent.ts';
import type { ProtectedFiles } from './protected-files.ts';

const READY_MS = 10_000;

export interface WorkerSpawn {
  readonly sandbox: Pick<Sandbox, 'launch'>;
  readonly nodePath: string;
  readonly script: string;
  /** Attempts that the worker has to make before it receives anything. */
  readonly selfProbe: SelfProbe | 'unboxed';
  readonly limits: NodeLimits;
  readonly ripgrepPath: string;
  /** `BULKHEAD_HOME`, resolved: no worker may read it, even inside the working folder. */
  readonly home: string;
  /** Files that no worker may open under any name. */
  readonly protectedFiles: Pick<ProtectedFiles, 'answerer' | 'shownIn'>;
  /** Folder of the outputs of the session's own commands: readable to its worker. */
  outputsOf(sessionId: string): string;
  log(pid: number, line: string): void;
}

/**
 * Starts a worker whose box is the grant: the working folder to change, the session's outputs to
 * read.
 *
 * @throws BulkheadError `worker_failed`; no process remains then
 */
export async function spawnWorker(
  parts: WorkerSpawn,
  { sessionId, workingFolder }: { readonly sessionId: string; readonly workingFolder: string },
): Promise<WorkerProcess> {
  const token = randomBytes(24).toString('hex');
  const outputs = parts.outputsOf(sessionId);
  mkdirSync(outputs, { recursive: true, mode: 0o700 });
  const kept = parts.home.startsWith(`${workingFolder}/`) ? ['--root', `no:${parts.home}`] : [];
  const own = ['--token', token, '--protocol', String(PROTOCOL_VERSION), '--rg', parts.ripgrepPath];
  const probe = probeArguments(parts.selfProbe, [workingFolder]);
  const grant = ['--root', `rw:${workingFolder}`, '--root', `ro:${outputs}`, ...kept];
  const guard = workerGuard(parts.protectedFiles, workingFolder);
  const child = parts.sandbox.launch(
    {
      kind: 'worker',
      read: [parts.script, outputs],
      write: [workingFolder],
      execute: [parts.ripgrepPath],
      limits: parts.limits,
    },
    {
      file: parts.nodePath,
      args: [...boxedNodeArguments, ...sparingNodeArguments, parts.script, ...own, ...grant, ...probe],
      cwd: dirname(parts.script),
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    },
  );
  const stderr = followStderr(child, parts.log);
  try {
    const connection = await serveWorker(channelOf(child), token, {
      readyMs: READY_MS,
      guard,
      admit: (findings) => admitProbed('worker', parts.selfProbe, findings, [workingFolder]),
    });
    void connection.closed.then(() => child.kill('SIGKILL'));
    return { pid: child.pid ?? 0, connection };
  } catch (cause) {
    child.kill('SIGKILL');
    throw startFailed('worker_failed', 'a worker did not start', cause, await stderr());
  }
}

/** A box with its own mounts keeps those from its creation, even after they are gone here. */
function workerGuard(files: WorkerSpawn['protectedFiles'], workingFolder: string): WorkerGuard {
  const first = files.shownIn(workingFolder);
  return {
    areProtected: files.answerer(),
    shownAt: () => [...new Set([...first, ...files.shownIn(workingFolder)])],
  };
}
