import { setTimeout as sleep } from 'node:timers/promises';
import { type OpenedActions, openActions } from '@bulkhead/actions/open-actions';
import { createHome } from '@bulkhead/home/create-home';
import type { OpenedHome } from '@bulkhead/home/open-home';
import type { Context } from '@bulkhead/log/context';
import { type OpenedLog, openLog } from '@bulkhead/log/open-log';
import { knownSecrets } from '@bulkhead/log/redaction/secrets-of-environment';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { createMind } from '@bulkhead/mind/create-mind';
import { createProcesses, type Processes } from '@bulkhead/processes/create-processes';
import { askOllama } from '@bulkhead/processes/models/ask-ollama';
import { findLocalModel } from '@bulkhead/processes/models/suggested-model';
import { faultPoint, systemTimers } from '@bulkhead/protocol';
import type { Runtime } from '@bulkhead/runtime/create-runtime';
import { openRuntime } from '@bulkhead/runtime/open-runtime';
import { engineStops } from '@bulkhead/runtime/session/actor-errors';
import type { Sessions } from '@bulkhead/runtime/session/sessions';
import type { Logger } from 'pino';
import type { ProvenBoxes } from '../ground/prove-boxes.ts';
import { readSettings } from '../ground/read-settings.ts';
import type { EngineOptions } from './engine-options.ts';
import { engineTools } from './engine-tools.ts';
import { keptPort } from './kept-port.ts';
import { openDoors } from './open-doors.ts';
import { openHttp } from './open-http.ts';

export interface Engine {
  /** Empty without a port. */
  readonly httpAddress: string;
  /**
   * Lets runs finish for a while, leaves the rest to the next engine, and ends everything that was
   * started.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Composes an engine: its rooms in order of their dependencies, then recovery, and the doors last.
 *
 * @param locked the home that this process has locked
 * @param proving under way: nothing runs in a box before the box was attacked
 * @throws BulkheadError with the problem and its remedy; nothing is left running then
 */
export async function wireEngine(
  options: EngineOptions,
  locked: OpenedHome,
  proving: Promise<ProvenBoxes>,
): Promise<Engine> {
  const { clock, machine, environment, restarted, dist, nodePath } = options;
  await using stack = new AsyncDisposableStack();
  const seams = { clock, machine, timers: systemTimers };
  const settings = readSettings(locked.layout, environment);
  const { config, policy } = settings;
  const secrets = knownSecrets(settings, environment);
  const reopen = (): void => options.stop(true);
  const keys = {
    environment,
    secret: (name: string) => secrets.known(settings.secret(name)),
    learn: (values: readonly string[]) => secrets.learn(values),
  };
  const tools = engineTools(config);

  const home = createHome(seams, { locked, redaction: secrets, restarted, reopen }, stack);
  const { layout, logger } = home;
  const opening = { home, secrets, settings: config, mustExist: restarted, request: fetch };
  const log = await openLog(seams, opening, stack);
  const { context } = log;
  const local = findLocalModel({
    configured: config.models.chat,
    keys: { environment, secret: settings.secret },
    ask: () => askOllama(environment, fetch),
  });
  local.catch(() => {});
  const { proven, selfProbe, controlled } = await proving;
  const walls = { ...proven, selfProbe };
  const processes = await createProcesses(
    context,
    { layout, settings: config, walls, tools, dist, nodePath, keys, local },
    stack,
  );
  const actions = await openActions(
    context,
    { home, settings: config, policy, tools, log, processes },
    stack,
  );
  const { queue } = processes.commands;
  const mind = createMind(
    context,
    { layout, settings: config, dist, keys, tools, log, actions, queue },
    stack,
  );
  const runtime = openRuntime(
    context,
    { layout, settings: { ...config, boxes: proven.boxes }, tools, log, processes, actions, mind, reopen },
    stack,
  );

  // The first agent starts meanwhile; nothing continues without it, nor before its attempts are
  // proven valid.
  await Promise.all([processes.warmed, controlled]);
  const { port } = config.server;
  const kept = keptPort(layout.port, logger);
  const http = options.isolated ? undefined : await openHttp({ options, port, kept, logger }, stack);
  const canWrite = home.original === layout;
  const started = {
    pid: process.pid,
    policy: policy.name,
    policyVersion: policy.digest,
    ...sandboxFacts(proven),
  };
  await takeUp(context, { log, processes, actions, runtime, canWrite, details: started });
  const end = orderlyEnd({ sessions: runtime.sessions, log: context.log }, logger);
  const doors = await openDoors(
    context,
    {
      options,
      settings,
      secrets,
      proven,
      http,
      drained: end.drained,
      rooms: { home, log, processes, actions, mind, runtime },
    },
    stack,
  );
  mind.memory.begin();
  logger.info({ pid: process.pid, home: layout.root, ...doors }, 'engine ready');
  if (proven.boxes === 'off') logger.warn(sandboxFacts(proven), 'NO SANDBOX: --insecure-no-sandbox');

  const resources = stack.move();
  return {
    httpAddress: doors.httpAddress,
    close: async (graceMs) => {
      await end.drain(graceMs);
      await log.logs.agreeAtEnd();
      await resources.disposeAsync();
    },
  };
}

/** For the audit log and the engine's own log. */
function sandboxFacts(proven: ProvenBoxes['proven']): Readonly<Record<string, string>> {
  return { sandbox: proven.boxes, ...('wouldHave' in proven ? { boxes: proven.wouldHave } : {}) };
}

/** Time for last messages to reach clients before the doors close, milliseconds. */
const LAST_WORDS_MS = 100;

/** The steps of an engine before it closes its resources. */
interface OrderlyEnd {
  /**
   * Resolves when no work is under way, with the number of messages that the next engine continues.
   */
  readonly drained: Promise<number>;
  /**
   * Lets runs finish for `graceMs`, leaves the rest to the next engine, and tells clients to
   * reconnect to it.
   */
  drain(graceMs: number): Promise<void>;
}

/** Ends the work of an engine in an order in which clients see only stored events [P8]. */
function orderlyEnd(
  {
    sessions,
    log,
  }: { readonly sessions: Pick<Sessions, 'drain'>; readonly log: Pick<SessionLog, 'endAllWatches'> },
  logger: Logger,
): OrderlyEnd {
  const { promise: drained, resolve } = Promise.withResolvers<number>();
  return {
    drained,
    async drain(graceMs) {
      logger.info('engine stopping');
      faultPoint('shutdown.begun');
      const unfinished = await sessions.drain(graceMs);
      logger.info({ unfinished }, 'nothing is under way any more');
      faultPoint('shutdown.drained');
      resolve(unfinished);
      log.endAllWatches(engineStops());
      await sleep(LAST_WORDS_MS);
    },
  };
}

/**
 * Continues the work of an earlier engine before any client can connect: the start is audited,
 * folders and labels are repaired, then open messages are resumed.
 *
 * @param config.details of this start, for the audit log
 * @param config.canWrite false for copies of a home that can't be written: no waiting message may
 *   begin
 */
async function takeUp(
  { audit, logger }: Context,
  config: {
    readonly log: Pick<OpenedLog, 'logs'>;
    readonly processes: Pick<Processes, 'commands'>;
    readonly actions: Pick<OpenedActions, 'recover'>;
    readonly runtime: Pick<Runtime, 'sessions'>;
    readonly canWrite: boolean;
    readonly details: Readonly<Record<string, string | number>>;
  },
): Promise<void> {
  const { processes, actions, runtime, canWrite, details } = config;
  const { logs } = config.log;
  if (canWrite) {
    await audit.append([{ step: 'ENGINE_START', action: '', hash: '', session: '', tool: '', details }]);
    // Before any run resumes: the data on disk was compared, and is flushed.
    await logs.agree();
  }
  // Before anything runs in any folder: undoes changes that a crash left unfinished.
  for (const error of await processes.commands.scratch.recover(logs.open)) {
    logger.error({ err: error }, 'a folder is not in order; no command runs there');
  }
  await actions.recover(canWrite);
  // Open messages of the log are queued first.
  if (canWrite) runtime.sessions.recover();
}
