import { rmSync } from 'node:fs';
import { hostsByTool } from '@bulkhead/actions/create-actions';
import type { OpenedActions } from '@bulkhead/actions/open-actions';
import type { Config } from '@bulkhead/home/config/config-schema';
import type { Context } from '@bulkhead/log/context';
import type { OpenedLog } from '@bulkhead/log/open-log';
import { initialGroupsOf } from '@bulkhead/log/session/tool-loading';
import type { MindRoom } from '@bulkhead/mind/create-mind';
import type { Processes } from '@bulkhead/processes/create-processes';
import { StartGate } from '@bulkhead/processes/pools/start-gate';
import type { BulkheadError, HomeLayout } from '@bulkhead/protocol';
import type { ToolRegistry } from '@bulkhead/tools';
import { createRuntime, type Runtime } from './create-runtime.ts';
import { ModelCompactor } from './run/model-compactor.ts';
import { createResultHost } from './session/result-host.ts';
import type { SessionEngine, SessionSettings } from './session/session-services.ts';
import { Titles } from './session/titles.ts';

type RuntimeSettings = Pick<Config, 'compaction' | 'limits' | 'queues' | 'retry' | 'tools'> & {
  readonly boxes: 'on' | 'off';
};

export interface OpenRuntimeConfig {
  readonly layout: HomeLayout;
  readonly settings: RuntimeSettings;
  readonly tools: ToolRegistry;
  readonly log: OpenedLog;
  readonly processes: Processes;
  readonly actions: OpenedActions;
  readonly mind: MindRoom;
  /** Starts the engine again: only a fresh start reads what is really on the disk. */
  reopen(): void;
}

/** The runtime over all rooms below, as an engine has it. @param stack ends its side work */
export function openRuntime(
  context: Context,
  config: OpenRuntimeConfig,
  stack: AsyncDisposableStack,
): Runtime {
  const { clock, timers, log, redaction } = context;
  const { layout, settings, tools, processes, actions, mind } = config;
  const { ledger, callers } = config.log;
  const { agents, workers, commands, web, models, folders } = processes;
  const { shell, processes: background, scratch } = commands;
  const results = createResultHost(log.store, processes.outputsOf);
  const hosts = { shell, processes: background, web: web.host, memory: mind.memory.host, results };
  const hostOf = hostsByTool(tools, hosts, workers);
  const pipeline = actions.pipeline(hostOf);
  const now = () => clock.now();
  const flush = mind.flush(pipeline);
  const titles = new Titles({ log, ledger, model: (choice) => models.role('title', choice), now });
  stack.defer(() => titles.close());
  const compactor = new ModelCompactor({
    settings: settings.compaction,
    model: (choice) => models.role('compaction', choice),
    calls: { log, ledger, now },
    redaction,
    timers,
    counter: mind.counter,
    keepsFacts: (sessionId) =>
      log.store.getSession(sessionId)?.offTheRecord === false && !callers.isOfProgram(sessionId),
    ...(flush === undefined ? {} : { flushFacts: async (...call) => void (await flush(...call)) }),
  });
  return createRuntime(context, {
    layout,
    settings: sessionSettings(settings),
    processes: {
      agents,
      folders,
      transactions: scratch,
      prewarm: (sessionId, workingFolder) => workers.prewarm(sessionId, workingFolder),
    },
    actions: { pipeline, tools, labels: actions.labels, clientCalls: actions.clientCalls, hostOf },
    models: {
      client: (choice) => models.client(choice),
      fallbacks: (choice) => models.fallbacks(choice),
      refresh: (refused) => models.refresh(refused),
      outputLimit: (client) => models.outputLimit(client),
      ledger,
    },
    mind: {
      tell: (question) => mind.mind.tell(question),
      lastTurn: (sessionId) => mind.mind.lastTurn(sessionId),
      skills: mind.skills,
      counter: mind.counter,
    },
    upkeep: { compactor, titles },
    engine: sessionEngine(context, config),
  });
}

function sessionSettings({ limits, queues, retry, tools, boxes }: RuntimeSettings): SessionSettings {
  return {
    limits,
    queues,
    boxes,
    initialGroups: initialGroupsOf(tools.initial),
    cooldownMs: retry.cooldownSeconds * 1_000,
    retry: {
      enabled: retry.enabled,
      maxRetries: retry.maxRetries,
      baseDelayMs: retry.baseDelaySeconds * 1_000,
      maxDelayMs: retry.maxDelaySeconds * 1_000,
      jitter: retry.jitter,
    },
  };
}

function sessionEngine(
  { log, logger, storage }: Context,
  { log: opened, processes, actions, mind, reopen }: OpenRuntimeConfig,
): SessionEngine {
  // Messages that come at once are all accepted and answered before the first of their runs begins; then one begins in each
  // turn of the event loop.
  const turns = new StartGate(1);
  return {
    random: Math.random,
    audited: () => opened.logs.audited,
    breathe: async () => {
      // A log that can't be flushed stops the run at its next record.
      await log.flush().catch(() => {});
      await turns.run(() => Promise.resolve());
    },
    async removeLeftovers(sessionId) {
      await processes.commands.background.stopAll(sessionId);
      rmSync(processes.outputsOf(sessionId), { recursive: true, force: true });
      await processes.commands.boxFolders.forget(sessionId);
      actions.flows.forget(sessionId);
      mind.memory.forgetSession();
      mind.skillMemory.forget(sessionId);
    },
    keepCaller: (caller, sessionId) => opened.callers.keep(caller, sessionId, sessionId),
    onReset: (sessionId) => mind.skillMemory.clear(sessionId),
    onFailure(sessionId: string, error: BulkheadError) {
      // Off the record, an error may quote what was said.
      const isOffTheRecord = log.store.getSession(sessionId)?.offTheRecord === true;
      logger.error(
        isOffTheRecord ? { code: error.code } : { sessionId, err: error },
        'a session can not go on',
      );
      // Records that SQLite wrote may be gone after such an error; only a fresh start reads what is really there. The audit
      // log writes nothing more after its first failure either. A disk that fails is waited for before.
      const inDoubt = error.code === 'audit_failed' || (error.code === 'store_failed' && !error.retryable);
      if (!storage.report(error) && inDoubt) reopen();
    },
  };
}
