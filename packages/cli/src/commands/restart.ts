import { setTimeout as sleep } from 'node:timers/promises';
import { connectEngine, reconnectEngine, startEngine } from '@bulkhead/client';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import type { StatusResponse } from '@bulkhead/protocol/client';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { Command } from '../command.ts';
import { tellSandbox } from '../conversation/sandbox-banner.ts';
import { shellKeys } from '../conversation/shell-keys.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { startNotices } from '../notices.ts';
import { progressReport } from '../open-engine.ts';
import { Output } from '../output/output.ts';

const RESTART_MS = 30_000;
const POLL_MS = 50;

export const restartCommand: Command = {
  usage: '[--json]',
  about: 'Restarts the engine; starts one in the background if none runs.',
  details: [
    "Its environment stays that of its start, with the providers' keys that this shell has in place of those it had.",
  ],
  options: JSON_OPTION,
  run: (args, environment) => restart(environment, args.flag('json')),
};

async function restart(environment: Environment, json: boolean): Promise<number> {
  const tell = (
    { wasRunning, engine, keys }: { wasRunning: boolean; engine: number; keys: readonly string[] },
    text: string,
  ): void => {
    const line = json ? JSON.stringify({ wasRunning, engine, keys }) : text;
    environment.stdout.write(`${line}\n`);
  };
  const layout = homeOf(environment);
  const before = await askToRestart(layout, environment);
  using report = progressReport(environment);
  if (before === undefined) {
    const { enginePid } = await startEngine(layout, {
      supervisor: environment.entries.supervisor,
      env: environment.env,
      progress: report.say,
    });
    tell({ wasRunning: false, engine: enginePid, keys: [] }, 'no engine was running: started one');
    return EXIT.completed;
  }
  const now = await untilReplaced(layout, before.enginePid, environment);
  const { keys } = before;
  const withKeys = keys.length === 0 ? '' : ` with ${keys.join(' and ')} of this shell`;
  tell({ wasRunning: true, engine: now.enginePid, keys }, `restarted${withKeys} (process ${now.enginePid})`);
  const notices = json ? [] : startNotices(now.notices);
  for (const notice of notices) environment.stdout.write(`note: ${notice}\n`);
  tellSandbox(now, false, new Output(environment.stderr, environment.env));
  return EXIT.completed;
}

/** The engine to stop, and the names of the keys that the next engine gets from this shell. */
interface Restarting {
  readonly enginePid: number;
  readonly keys: readonly string[];
}

/** @returns undefined if none runs */
async function askToRestart(layout: HomeLayout, { env }: Environment): Promise<Restarting | undefined> {
  try {
    using client = await connectEngine(layout);
    const status = await client.call('status', {});
    const keys = shellKeys(status, env);
    if (Object.keys(keys).length > 0) await client.call('handOverKeys', { keys: { ...keys } });
    await client.call('stop', { restart: true }).catch((cause: unknown) => {
      if (!BulkheadError.is(cause) || cause.code !== 'not_running') throw cause;
    });
    return { enginePid: status.enginePid, keys: Object.keys(keys) };
  } catch (cause) {
    if (BulkheadError.is(cause) && cause.code === 'not_running') return undefined;
    throw cause;
  }
}

async function untilReplaced(
  layout: HomeLayout,
  before: number,
  environment: Environment,
): Promise<StatusResponse> {
  const end = environment.clock.monotonic() + RESTART_MS;
  while (environment.clock.monotonic() < end) {
    const status = await statusWithin(layout, end - environment.clock.monotonic());
    if (status !== undefined && status.enginePid !== before) return status;
    await sleep(POLL_MS);
  }
  throw new BulkheadError('timeout', `the engine did not come back within ${RESTART_MS / 1000} s`, {
    fix: 'See `bulkhead status` and `bulkhead logs`.',
  });
}

/** Undefined if the connection is lost between two calls: the old engine is ending. */
async function statusWithin(layout: HomeLayout, withinMs: number): Promise<StatusResponse | undefined> {
  using client = await reconnectEngine(layout, withinMs);
  try {
    return await client.call('status', {});
  } catch (cause) {
    if (BulkheadError.is(cause) && cause.code === 'not_running') return undefined;
    throw cause;
  }
}
