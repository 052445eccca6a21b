import { ensureEngine, reconnectEngine, type StartedEngine, startEngine } from '@bulkhead/engine/client';
import type { HomeLayout } from '@bulkhead/protocol';
import { EngineLink } from './engine-link.ts';
import type { Environment } from './environment.ts';

/** A wait this long is worth a word, milliseconds. */
const PATIENCE_MS = 500;

export interface OpenedEngine {
  readonly link: EngineLink;
  /** The engine, if this call started it. */
  readonly started: StartedEngine | undefined;
}

/**
 * Connects to the home's engine, starting it if none runs.
 *
 * @param options.isolated start a private one, and refuse if one runs already
 * @param options.insecureNoSandbox if it has to be started, then with nothing boxed
 */
export async function openEngine(
  layout: HomeLayout,
  environment: Environment,
  options: {
    readonly isolated?: boolean;
    readonly insecureNoSandbox?: boolean;
    readonly signal: AbortSignal;
  },
): Promise<OpenedEngine> {
  const isolated = options.isolated === true;
  using report = progressReport(environment);
  const start = {
    supervisor: environment.entries.supervisor,
    env: environment.env,
    isolated,
    insecureNoSandbox: options.insecureNoSandbox === true,
    progress: report.say,
    signal: options.signal,
  };
  if (isolated) {
    const started = await startEngine(layout, start);
    const client = await reconnectEngine(layout, PATIENCE_MS, options.signal);
    return { link: linkTo(client, layout, environment), started };
  }
  const { client, started } = await ensureEngine(layout, start);
  return { link: linkTo(client, layout, environment), started };
}

function linkTo(
  client: Awaited<ReturnType<typeof reconnectEngine>>,
  layout: HomeLayout,
  environment: Environment,
): EngineLink {
  const connect = (withinMs: number, signal: AbortSignal) => reconnectEngine(layout, withinMs, signal);
  return new EngineLink(client, connect, environment.clock);
}

/** Says on a terminal what the engine is doing, once it takes longer than a moment. */
export function progressReport(environment: Environment): Disposable & { say(text: string): void } {
  const { stderr } = environment;
  let latest = 'starting the engine';
  let late = false;
  const tell = () => {
    late = true;
    if (stderr.isTTY) stderr.write(`… ${latest}\n`);
  };
  const timer = setTimeout(tell, PATIENCE_MS);
  timer.unref();
  return {
    say(text) {
      latest = text;
      if (late) tell();
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
