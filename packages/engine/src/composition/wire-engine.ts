import { openActions } from '@bulkhead/actions/open-actions';
import { createHome } from '@bulkhead/home/create-home';
import type { OpenedHome } from '@bulkhead/home/open-home';
import { openLog } from '@bulkhead/log/open-log';
import { knownSecrets } from '@bulkhead/log/redaction/secrets-of-environment';
import { createMind } from '@bulkhead/mind/create-mind';
import { createProcesses } from '@bulkhead/processes/create-processes';
import { askOllama } from '@bulkhead/processes/models/ask-ollama';
import { findLocalModel } from '@bulkhead/processes/models/suggested-model';
import { systemTimers } from '@bulkhead/protocol';
import { openRuntime } from '@bulkhead/runtime/open-runtime';
import type { ProvenBoxes } from '../ground/prove-boxes.ts';
import { readSettings } from '../ground/read-settings.ts';
import type { EngineOptions } from './engine-options.ts';
import { engineTools } from './engine-tools.ts';
import { openDoors } from './open-doors.ts';
import { openHttp } from './open-http.ts';
import { orderlyEnd } from './orderly-end.ts';
import { takeUp } from './take-up.ts';

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
  const keys = { environment, secret: (name: string) => secrets.known(settings.secret(name)) };
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
  const http = options.isolated ? undefined : await openHttp({ options, port, logger }, stack);
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
