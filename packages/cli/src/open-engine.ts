import { type OpenedEngine, openEngine as openEngineOf } from '@bulkhead/client';
import type { HomeLayout, SocketChannel } from '@bulkhead/protocol';
import type { Environment } from './environment.ts';

/** A longer wait is reported, milliseconds. */
const PATIENCE_MS = 500;

/**
 * Connects to the home's engine, starting it if none runs, and reports a long start on a terminal.
 *
 * @param options.isolated start a private one, and refuse if one runs already
 * @param options.insecureNoSandbox if the engine must be started, start it without a sandbox
 */
export async function openEngine(
  layout: HomeLayout,
  environment: Environment,
  options: {
    readonly isolated?: boolean;
    readonly insecureNoSandbox?: boolean;
    /**
     * Receives the engine's progress while it starts; absent, a terminal shows it if the start is
     * slow.
     */
    readonly progress?: (text: string) => void;
    readonly signal: AbortSignal;
    /** Name of the client, for the record; the command line if absent. */
    readonly channel?: SocketChannel;
  },
): Promise<OpenedEngine> {
  using report = progressReport(environment, options.progress);
  const start = {
    supervisor: environment.entries.supervisor,
    env: environment.env,
    isolated: options.isolated === true,
    insecureNoSandbox: options.insecureNoSandbox === true,
    progress: report.say,
    signal: options.signal,
    channel: options.channel ?? 'cli',
  };
  return await openEngineOf(layout, start, environment.clock);
}

/**
 * Shows the engine's progress on a terminal once the start takes longer than a moment.
 *
 * @param instead receives each message instead
 */
export function progressReport(
  environment: Environment,
  instead?: (text: string) => void,
): Disposable & { say(text: string): void } {
  if (instead !== undefined) return { say: instead, [Symbol.dispose]: () => undefined };
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
