import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { RespawnBudget } from '@bulkhead/processes/pools/respawn-budget';
import type { Clock } from '@bulkhead/protocol';
import type { StartReport } from './report.ts';

/** The engine asks to be started again. */
export const RESTART_STATUS = 75;

/** From SIGTERM to SIGKILL: P8 gives 5 s in all. */
const STOP_MS = 4_700;

export interface SupervisorParts {
  /**
   * Starts an engine: stdin is a pipe whose closing means that the supervisor is gone, fd 3 its
   * report.
   * @param keys for its environment, handed over by earlier engines
   * @param restarted an engine was ready before: its home exists, and must not be created again
   */
  readonly spawn: (keys: Readonly<Record<string, string>>, restarted: boolean) => ChildProcess;
  readonly report: Pick<StartReport, 'failed' | 'relay'>;
  readonly clock: Clock;
  /** Aborts when the supervisor must stop. */
  readonly stop: AbortSignal;
  log(line: string): void;
}

/**
 * Keeps an engine running: restarts it on request (exit 75) or after a crash, at most 5 times in 60
 * s; a failed first start is reported, not repeated [P8].
 *
 * @returns the supervisor's exit status
 */
export async function supervise(parts: SupervisorParts): Promise<number> {
  const budget = new RespawnBudget();
  let started = false;
  let keys: Readonly<Record<string, string>> = {};
  const keep = (more: typeof keys): void => {
    keys = { ...keys, ...more };
  };
  for (;;) {
    const engine = parts.spawn(keys, started);
    const exited = exitOf(engine);
    const endTimer = stopWith(engine, parts.stop);
    const ready = await relayReports(engine, parts.report, started, keep);
    const status = await exited;
    endTimer();
    if (status === 0 || parts.stop.aborted) return 0;
    if (!ready && !started) {
      parts.report.failed(
        'internal',
        `the engine ended (${status}) before it was ready`,
        'See `bulkhead logs --supervisor`.',
      );
      return 1;
    }
    started = true;
    if (status === RESTART_STATUS) continue;
    parts.log(`the engine ended with ${status}`);
    if (budget.spend(parts.clock.monotonic())) continue;
    parts.log('the engine crashed more than 5 times in a minute: giving up');
    return 1;
  }
}

async function exitOf(engine: ChildProcess): Promise<number | string> {
  try {
    const [code, signal] = await once(engine, 'exit');
    return typeof code === 'number' ? code : String(signal);
  } catch (error) {
    return String(error);
  }
}

/**
 * Forwards a stop to the engine, and kills it if needed. Returns a function that ends the watch.
 */
function stopWith(engine: ChildProcess, stop: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const onStop = (): void => {
    engine.kill('SIGTERM');
    timer = setTimeout(() => engine.kill('SIGKILL'), STOP_MS);
  };
  if (stop.aborted) onStop();
  stop.addEventListener('abort', onStop, { once: true });
  return () => {
    stop.removeEventListener('abort', onStop);
    clearTimeout(timer);
  };
}

/** Until the engine ends. @returns true if it has reported ready */
async function relayReports(
  engine: ChildProcess,
  report: Pick<StartReport, 'relay'>,
  quiet: boolean,
  keep: (keys: Readonly<Record<string, string>>) => void,
): Promise<boolean> {
  const pipe = engine.stdio[3];
  if (!(pipe instanceof Readable)) return false;
  let ready = false;
  try {
    for await (const line of createInterface({ input: pipe })) {
      const keys = keysOfLine(line);
      ready ||= line.includes('"type":"ready"');
      if (keys !== undefined) keep(keys);
      else if (!quiet) report.relay(line);
    }
  } catch {
    // The engine died while it wrote: its exit status explains the rest.
  }
  return ready;
}

/**
 * The keys of a line that an engine wrote for its supervisor; undefined for any other line.
 *
 * @throws SyntaxError if the engine died while it wrote the line
 */
function keysOfLine(line: string): Readonly<Record<string, string>> | undefined {
  if (!line.startsWith('{"type":"keys"')) return undefined;
  const { keys } = fieldsOf(JSON.parse(line));
  return Object.fromEntries(
    Object.entries(fieldsOf(keys)).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

function fieldsOf(value: unknown): { readonly [name: string]: unknown; readonly keys?: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
