import { connectEngine, type EngineClient, reconnectEngine, STOP_MS } from '@bulkhead/client';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { hasStalePid, ownersOfHome } from '../owner-of-home.ts';
import { type NamedProcess, processesOf, untilEnded } from '../stop-engine.ts';

/** Time a supervisor may take to start the next engine after a crash, milliseconds. */
const RESPAWN_MS = 500;

export const stopCommand: Command = {
  usage: '[--json]',
  about: 'Stops the engine and waits until all of its processes have ended.',
  options: JSON_OPTION,
  run: (args, environment) => stop(environment, args.flag('json')),
};

async function stop(environment: Environment, json: boolean): Promise<number> {
  const layout = homeOf(environment);
  const { processes, unfinished } = await askToStop(layout);
  if (processes.length === 0) {
    const none = { stopped: false, home: layout.root };
    environment.stdout.write(json ? `${JSON.stringify(none)}\n` : `no engine runs on ${layout.root}\n`);
    return EXIT.completed;
  }
  const left = await untilEnded(processes, STOP_MS, environment.clock);
  if (left.length === 0) {
    const done = { stopped: true, home: layout.root, unfinished };
    environment.stdout.write(json ? `${JSON.stringify(done)}\n` : `stopped\n${unfinishedLine(unfinished)}`);
    return EXIT.completed;
  }
  const names = left.map(({ kind, pid }) => `${kind} ${pid}`).join(', ');
  throw new BulkheadError('timeout', `still running after ${STOP_MS / 1000} s: ${names}`, {
    fix: `End them with \`kill -9 ${left.map(({ pid }) => pid).join(' ')}\`.`,
  });
}

function unfinishedLine(unfinished: number): string {
  if (unfinished === 0) return '';
  return unfinished === 1
    ? '1 message is not finished; it continues at the next start.\n'
    : `${unfinished} messages are not finished; they continue at the next start.\n`;
}

/** State that a stopped engine leaves. */
interface Stopping {
  /** The processes to wait for; none if no engine runs. */
  readonly processes: readonly NamedProcess[];
  /** Messages that the next engine continues, as far as this one has reported them. */
  readonly unfinished: number;
}

async function askToStop(layout: HomeLayout): Promise<Stopping> {
  try {
    using client = hasStalePid(layout)
      ? await reconnectEngine(layout, RESPAWN_MS)
      : await connectEngine(layout);
    return await stopThrough(client);
  } catch (cause) {
    if (!isBeyondTalk(cause)) throw cause;
    return { processes: endOwners(layout), unfinished: 0 };
  }
}

async function stopThrough(client: EngineClient): Promise<Stopping> {
  const processes = processesOf(await client.call('status', {}));
  let unfinished = 0;
  try {
    unfinished = (await client.call('stop', { restart: false }, AbortSignal.timeout(STOP_MS))).unfinished;
  } catch (cause) {
    const code = BulkheadError.is(cause) ? cause.code : 'internal';
    if (code !== 'not_running' && code !== 'cancelled') throw cause;
  }
  return { processes, unfinished };
}

/** No engine answers, or its protocol is unknown. */
function isBeyondTalk(cause: unknown): boolean {
  if (!BulkheadError.is(cause)) return false;
  return cause.code === 'not_running' || cause.code === 'timeout' || 'protocolVersion' in cause.details;
}

/**
 * The socket does not answer. The owner of the home may still live: starting, ending or blocked.
 */
function endOwners(layout: HomeLayout): readonly NamedProcess[] {
  const owners = ownersOfHome(layout);
  const [first] = owners;
  if (first !== undefined) process.kill(first.pid, 'SIGTERM');
  return owners;
}
