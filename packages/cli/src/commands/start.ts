import { setTimeout as sleep } from 'node:timers/promises';
import {
  connectEngine,
  forgetHome,
  isAlive,
  STOP_MS,
  type StartedEngine,
  startEngine,
} from '@bulkhead/client';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import { INSECURE_OPTION, tellSandbox } from '../conversation/sandbox-banner.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { startNotices } from '../notices.ts';
import { progressReport } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import { processesOf, untilEnded } from '../stop-engine.ts';

const POLL_MS = 500;

export const startCommand: Command = {
  usage: '[--daemon] [--new-home] [--insecure-no-sandbox] [--json]',
  about: 'Starts the engine and stays with it; Ctrl-C stops it.',
  options: {
    ...JSON_OPTION,
    daemon: { about: 'leave it running in the background' },
    'new-home': { about: 'accept that this is another home than the one used here before' },
    join: { about: '' },
    ...INSECURE_OPTION,
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const layout = homeOf(environment);
  const stop = new AbortController();
  using _interrupts = environment.onInterrupt(() => stop.abort());
  const insecureNoSandbox = args.flag('insecure-no-sandbox');
  if (args.flag('new-home')) forgetHome(layout, environment.env);
  const started = await start(layout, environment, {
    join: args.flag('join'),
    insecureNoSandbox,
    signal: stop.signal,
  });
  const json = args.flag('json');
  if (started === undefined) return await stayWithRunning(layout, environment, stop.signal, json);
  const pids = { supervisor: started.supervisorPid, engine: started.enginePid };
  const say = json ? (): void => {} : (text: string) => void environment.stdout.write(text);
  if (json) environment.stdout.write(jsonLine(layout, started.http, pids));
  else tellWhere(layout, started.http, environment);
  const status = await runningStatus(layout);
  if (status !== undefined)
    tellSandbox(status, insecureNoSandbox, new Output(environment.stderr, environment.env));
  for (const notice of startNotices(status?.notices ?? [])) say(`note: ${notice}\n`);
  if (args.flag('daemon')) return EXIT.completed;
  say('Ctrl-C stops it.\n');
  started.keep();
  await Promise.race([started.ended, aborted(stop.signal)]);
  if (stop.signal.aborted) await endStarted(layout, started, environment);
  say('stopped\n');
  return stop.signal.aborted || !isAlive(started.supervisorPid) ? EXIT.completed : EXIT.failed;
}

/** @returns undefined if an engine runs already and the caller may join it */
async function start(
  layout: HomeLayout,
  environment: Environment,
  options: { readonly join: boolean; readonly insecureNoSandbox: boolean; readonly signal: AbortSignal },
): Promise<StartedEngine | undefined> {
  using report = progressReport(environment);
  try {
    await refuseSecond(layout);
    return await startEngine(layout, {
      supervisor: environment.entries.supervisor,
      env: environment.env,
      insecureNoSandbox: options.insecureNoSandbox,
      progress: report.say,
      signal: options.signal,
    });
  } catch (cause) {
    if (options.join && BulkheadError.is(cause) && cause.code === 'already_running') return undefined;
    throw cause;
  }
}

async function refuseSecond(layout: HomeLayout): Promise<void> {
  const status = await runningStatus(layout);
  if (status === undefined) return;
  throw new BulkheadError(
    'already_running',
    `an engine runs on ${layout.root} already (process ${status.enginePid})`,
    { fix: 'Use it, stop it with `bulkhead stop`, or set BULKHEAD_HOME to another folder.' },
  );
}

async function runningStatus(layout: HomeLayout) {
  try {
    using client = await connectEngine(layout);
    return await client.call('status', {});
  } catch (cause) {
    if (BulkheadError.is(cause) && cause.code === 'not_running') return undefined;
    throw cause;
  }
}

function tellWhere(layout: HomeLayout, http: string, { stdout }: Environment): void {
  stdout.write(`bulkhead is running on ${layout.root}\n`);
  if (http !== '') {
    stdout.write(`${http} (\`bulkhead token --login\` opens it in a browser)\n`);
  }
  stdout.write(`logs: ${layout.logs}/engine.log\n`);
}

function jsonLine(
  { root }: HomeLayout,
  http: string,
  pids: { readonly supervisor: number; readonly engine: number },
): string {
  return `${JSON.stringify({ running: true, home: root, http: http || null, ...pids })}\n`;
}

/** An engine of another supervisor: this command stays until it ends, and never stops it. */
async function stayWithRunning(
  layout: HomeLayout,
  environment: Environment,
  signal: AbortSignal,
  json: boolean,
): Promise<number> {
  const status = await runningStatus(layout);
  const { httpAddress = '', supervisorPid = 0, enginePid = 0 } = status ?? {};
  const pids = { supervisor: supervisorPid, engine: enginePid };
  if (json) environment.stdout.write(jsonLine(layout, httpAddress, pids));
  else tellWhere(layout, httpAddress, environment);
  if (status !== undefined) tellSandbox(status, false, new Output(environment.stderr, environment.env));
  if (!json) {
    environment.stdout.write(
      'It was already running. This command waits until it ends; Ctrl-C leaves it running.\n',
    );
  }
  while (status !== undefined && !signal.aborted && isAlive(status.supervisorPid)) {
    await Promise.race([sleep(POLL_MS), aborted(signal)]);
  }
  return EXIT.completed;
}

async function endStarted(
  layout: HomeLayout,
  started: StartedEngine,
  environment: Environment,
): Promise<void> {
  const status = await runningStatus(layout).catch(() => undefined);
  const processes = [
    { kind: 'supervisor', pid: started.supervisorPid },
    ...(status === undefined ? [] : processesOf(status)),
  ];
  if (isAlive(started.supervisorPid)) process.kill(started.supervisorPid, 'SIGTERM');
  const left = await untilEnded(processes, STOP_MS, environment.clock);
  if (left.length === 0) return;
  const names = left.map(({ kind, pid }) => `${kind} ${pid}`).join(', ');
  throw new BulkheadError('timeout', `still running after ${STOP_MS / 1000} s: ${names}`, {
    fix: `End them with \`kill -9 ${left.map(({ pid }) => pid).join(' ')}\`.`,
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
