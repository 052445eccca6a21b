import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { checkHome } from '@bulkhead/home/folder/home-trace';
import { makeFolder } from '@bulkhead/home/folder/make-folder';
import { diskReason } from '@bulkhead/home/storage/disk-reason';
import { BulkheadError, errorCode, type HomeLayout, type SocketChannel } from '@bulkhead/protocol';

const READY_MS = 30_000;

export interface StartOptions {
  /** The supervisor's bundle. */
  readonly supervisor: URL;
  /** Path of the Node.js that runs it; absent, the one that runs this program. */
  readonly node?: string;
  /** Passed on whole, because it holds provider keys. `BULKHEAD_HOME` is set to the home. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * A private engine: no port, and it ends when its standard input does, so it never outlives its
   * starter.
   */
  readonly isolated?: boolean;
  /** Starts everything without a sandbox: only if a person requests it for this start. */
  readonly insecureNoSandbox?: boolean;
  /** Receives the engine's progress while it starts. */
  readonly progress?: (text: string) => void;
  readonly signal?: AbortSignal;
  /** Name of the client that connects; that of the command line if absent. */
  readonly channel?: SocketChannel;
  /** Time limit, milliseconds. */
  readonly readyMs?: number;
}

export interface StartedEngine {
  readonly supervisorPid: number;
  readonly enginePid: number;
  /** Address of the web service; empty if there is no such service. */
  readonly http: string;
  /**
   * Resolves when the supervisor has ended. Waiting for it keeps this process alive only after
   * `keep()`.
   */
  readonly ended: Promise<void>;
  /**
   * By default the caller may end and the engine continues; after this call the caller stays until
   * `ended`.
   */
  keep(): void;
}

/**
 * Starts a supervisor, and with it an engine, in its own session, so that it outlives the caller
 * and its terminal.
 *
 * @throws BulkheadError what the supervisor reports (`already_running` for the loser of two
 * concurrent starts), `not_available` if it can't be started, `timeout`, `cancelled`
 */
export async function startEngine(layout: HomeLayout, options: StartOptions): Promise<StartedEngine> {
  if (options.signal?.aborted) throw new BulkheadError('cancelled', 'starting the engine was cancelled');
  // Checked before anything is created there, even a folder for logs.
  checkHome(layout, options.env);
  const child = launch(layout, options);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    const ready = await untilReady(child, layout, options);
    child.unref();
    return { ...ready, supervisorPid: child.pid ?? 0, ended, keep: () => child.ref() };
  } catch (cause) {
    child.kill('SIGTERM');
    child.unref();
    throw cause;
  }
}

function launch(layout: HomeLayout, options: StartOptions): ChildProcess {
  const log = openLog(layout);
  const isolated = options.isolated === true;
  const flags = [
    ...(isolated ? ['--isolated'] : []),
    ...(options.insecureNoSandbox === true ? ['--insecure-no-sandbox'] : []),
  ];
  try {
    return spawn(options.node ?? process.execPath, [fileURLToPath(options.supervisor), ...flags], {
      // Not in the home: the working directory would keep its disk from being unmounted, and vanish
      // with it.
      cwd: '/',
      detached: true,
      env: { ...options.env, BULKHEAD_HOME: layout.root },
      stdio: [isolated ? 'pipe' : 'ignore', log, log, 'pipe'],
    });
  } finally {
    closeSync(log);
  }
}

function openLog(layout: HomeLayout): number {
  try {
    makeFolder(layout.logs);
    return openSync(`${layout.logs}/supervisor.log`, 'a', 0o600);
  } catch (cause) {
    // An existing home can be read from a read-only disk.
    if (existsSync(layout.mark) && diskReason(cause) !== undefined) return openSync('/dev/null', 'a');
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new BulkheadError('not_available', `the home ${layout.root} can't be written (${reason})`, {
      fix: 'Point BULKHEAD_HOME to a folder that you may write to.',
      cause,
    });
  }
}

async function untilReady(
  child: ChildProcess,
  layout: HomeLayout,
  options: StartOptions,
): Promise<{ enginePid: number; http: string }> {
  const limit = AbortSignal.timeout(options.readyMs ?? READY_MS);
  const signal = options.signal === undefined ? limit : AbortSignal.any([options.signal, limit]);
  const spawnFailure = new Promise<never>((_, reject) => {
    child.once('error', (cause) => reject(notStarted(layout, cause)));
    signal.addEventListener('abort', () => reject(interrupted(limit.aborted, layout)), { once: true });
  });
  const pipe = child.stdio[3];
  if (!isReadable(pipe)) return spawnFailure;
  try {
    return await Promise.race([readReports(pipe, layout, options), spawnFailure]);
  } finally {
    pipe.destroy();
  }
}

async function readReports(
  pipe: Readable,
  layout: HomeLayout,
  options: StartOptions,
): Promise<{ enginePid: number; http: string }> {
  for await (const line of createInterface({ input: pipe })) {
    const report = parseSupervisorReport(line);
    if (report.type === 'failed') throw report.error;
    if (report.type === 'ready') return { enginePid: report.enginePid, http: report.http };
    options.progress?.(report.text);
  }
  throw notStarted(layout, undefined);
}

function isReadable(value: unknown): value is Readable {
  return typeof value === 'object' && value !== null && 'read' in value;
}

function interrupted(late: boolean, layout: HomeLayout): BulkheadError {
  if (!late) return new BulkheadError('cancelled', 'starting the engine was cancelled');
  return new BulkheadError('timeout', `the engine on ${layout.root} was not ready in time`, {
    fix: `See ${layout.logs}/supervisor.log and ${layout.logs}/engine.log.`,
  });
}

function notStarted(layout: HomeLayout, cause: unknown): BulkheadError {
  return new BulkheadError('not_available', `the engine on ${layout.root} ended while it started`, {
    fix: `See ${layout.logs}/supervisor.log, or run \`bulkhead doctor\`.`,
    cause,
  });
}

/**
 * Reports of a starting supervisor on its fd 3, one JSON object a line: any number of `progress`,
 * then exactly one `ready` or `failed`, then it closes the descriptor.
 */
type SupervisorReport =
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'ready'; readonly enginePid: number; readonly http: string }
  | { readonly type: 'failed'; readonly error: BulkheadError };

/** @throws BulkheadError `protocol_violation` for any other line */
export function parseSupervisorReport(line: string): SupervisorReport {
  const fields = parseObject(line);
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  switch (fields['type']) {
    case 'progress':
      return { type: 'progress', text: text('text') };
    case 'ready': {
      const pid = fields['engine_pid'];
      return { type: 'ready', enginePid: typeof pid === 'number' ? pid : 0, http: text('http') };
    }
    case 'failed': {
      const fix = text('fix');
      const message = text('message') || 'the engine did not start';
      return {
        type: 'failed',
        error: new BulkheadError(errorCode(fields['code']) ?? 'internal', message, fix === '' ? {} : { fix }),
      };
    }
    default:
      throw new BulkheadError('protocol_violation', 'the supervisor said something unknown while it started');
  }
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
