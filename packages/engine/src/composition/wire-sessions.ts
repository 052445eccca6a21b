import { rmSync } from 'node:fs';
import type { ApprovalService } from '@bulkhead/actions/approvals/approval-service';
import type { ApprovalTokens } from '@bulkhead/actions/approvals/approval-tokens';
import type { ClientCallService } from '@bulkhead/actions/client-tools/client-call-service';
import { openEvaluator } from '@bulkhead/actions/judging/open-evaluator';
import { recentActions } from '@bulkhead/actions/judging/recent-actions';
import { ActionPipeline } from '@bulkhead/actions/pipeline/action-pipeline';
import type { SnapshotStage } from '@bulkhead/actions/pipeline/stages';
import type { PolicyKeeper } from '@bulkhead/actions/policy/policy-keeper';
import type { Storage } from '@bulkhead/home/storage/storage';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { AuditedFate } from '@bulkhead/log/agreement/open-actions';
import type { CallerTables } from '@bulkhead/log/callers/caller-tables';
import type { LogRoom } from '@bulkhead/log/open-log';
import type { KnownSecrets } from '@bulkhead/log/redaction/known-secrets';
import { initialGroupsOf } from '@bulkhead/log/session/tool-loading';
import type { Embedder } from '@bulkhead/memory';
import type { Mind } from '@bulkhead/mind/context/mind';
import { createFlush, type FlushFacts } from '@bulkhead/mind/memory/flush-facts';
import type { MemoryIndex } from '@bulkhead/mind/memory/memory-index';
import type { Memory } from '@bulkhead/mind/memory/open-memory';
import type { OpenedSkills } from '@bulkhead/mind/skills/open-skills';
import type { SkillSource } from '@bulkhead/mind/skills/skill-source';
import type { KeySources, TokenCounter } from '@bulkhead/models';
import type { Processes } from '@bulkhead/processes/create-processes';
import { StartGate } from '@bulkhead/processes/pools/start-gate';
import { BulkheadError, type HomeLayout, type MachineClock, systemTimers } from '@bulkhead/protocol';
import { Cooldowns } from '@bulkhead/runtime/run/model-chain';
import { ModelCompactor } from '@bulkhead/runtime/run/model-compactor';
import type { ActorServices } from '@bulkhead/runtime/session/actor-services';
import { createResultHost } from '@bulkhead/runtime/session/result-host';
import { SessionCompaction } from '@bulkhead/runtime/session/session-compaction';
import { SessionTree } from '@bulkhead/runtime/session/session-tree';
import { Sessions } from '@bulkhead/runtime/session/sessions';
import { Titles } from '@bulkhead/runtime/session/titles';
import type { Tables } from '@bulkhead/sessions';
import { createShield, notPresent } from '@bulkhead/shield';
import type { ToolRegistry } from '@bulkhead/tools';
import type { Settings } from '../ground/read-settings.ts';
import type { Judges } from './open-judges.ts';
import { openServices } from './open-services.ts';
import { toolHosts } from './tool-hosts.ts';
import { wireMemory } from './wire-memory.ts';

/** The part of the engine that clients talk to, and what is absent from it. */
export interface WiredSessions {
  readonly sessions: Sessions;
  readonly tree: SessionTree;
  readonly titles: Titles;
  readonly approvals: ApprovalService;
  readonly clientCalls: ClientCallService;
  readonly memory: Memory;
  readonly skills: SkillSource;
  /** Names of stages and tiers that it has not. */
  readonly absent: readonly string[];
}

/** Joins store, audit, policy, pipeline, models and pools into sessions. Starts nothing. */
export function wireSessions(parts: {
  readonly machine: MachineClock;
  readonly time: ConfirmedTime;
  readonly log: LogRoom;
  readonly tables: Tables;
  readonly layout: HomeLayout;
  readonly settings: Settings;
  readonly policies: PolicyKeeper;
  readonly secrets: KnownSecrets;
  readonly keys: KeySources;
  readonly programs: Pick<CallerTables, 'isOfProgram' | 'keep'>;
  /** What the audit log says of actions without a recorded end. */
  audited(): ReadonlyMap<string, AuditedFate>;
  readonly tokens: ApprovalTokens;
  readonly tools: ToolRegistry;
  readonly snapshots: SnapshotStage;
  readonly judges: Judges;
  readonly mind: Mind;
  readonly counter: TokenCounter;
  readonly skills: OpenedSkills;
  readonly processes: Processes;
  /** `off`: every run says that nothing in it is boxed. */
  readonly boxes: 'on' | 'off';
  readonly storage: Pick<Storage, 'refuseWork' | 'report'>;
  onFailure(sessionId: string, error: BulkheadError): void;
  /** Called once, when there is something to find. */
  openMemoryIndex(embedder: Embedder | undefined): Promise<MemoryIndex>;
  /** Something about memory that a person should know. */
  onMemoryProblem(problem: string): void;
}): WiredSessions {
  const { layout, settings, policies, secrets, tools, processes, keys } = parts;
  const { agents, workers, commands, web, models, folders, outputsOf } = processes;
  const { ledger } = parts.log;
  const { clock, ids, log, audit } = parts.log.context;
  const { store } = log;
  const { config } = settings;
  const now = () => clock.now();
  const { approvals, clientCalls } = openServices({ ...parts, clock, timeouts: config.timeouts, ids });
  const { flows, analysis, annotations, startedBy } = parts.judges;
  const stages = { labels: flows, snapshots: parts.snapshots };
  const evaluator =
    config.models.shield === undefined
      ? notPresent('model evaluator')
      : openEvaluator({
          services: { log, ledger, now },
          model: () => models.role('shield'),
          redaction: secrets,
          clock,
          machine: parts.machine,
          time: parts.time,
          days: parts.log.days,
          timers: systemTimers,
          timeoutMs: config.timeouts.evaluationSeconds * 1_000,
          limits: {
            perMinute: config.shield.evaluationsPerMinute,
            perDay: config.shield.evaluationsPerDay,
          },
        });
  const shield = createShield({
    policy: () => policies.current,
    analysis,
    evaluator,
    annotations,
    startedBy,
  });
  const memory = wireMemory({
    layout,
    config,
    keys,
    ledger,
    ids,
    clock,
    log,
    store,
    tables: parts.tables,
    audit,
    redaction: secrets,
    snapshots: parts.snapshots,
    judges: parts.judges,
    queue: commands.queue,
    programs: parts.programs,
    openIndex: parts.openMemoryIndex,
    onError: (error) => {
      // What it keeps in a database names its own place.
      const path = BulkheadError.is(error) && error.code === 'store_failed' ? undefined : layout.profiles;
      parts.storage.report(error, path);
    },
    warn: parts.onMemoryProblem,
  });
  const skills = parts.skills.forSessions(log, memory.labels);
  const results = createResultHost(store);
  const { shell, processes: background, scratch } = commands;
  const hosts = { shell, processes: background, web: web.host, memory: memory.host, results };
  const hostOf = toolHosts(tools, hosts, workers);
  const pipeline = new ActionPipeline({
    clock,
    timers: systemTimers,
    ids,
    tools: { get: (name) => tools.get(name), names: () => tools.groups().flatMap((group) => group.tools) },
    audit,
    approvals,
    tokens: parts.tokens,
    shield,
    ...stages,
    redaction: secrets,
    hostOf,
    recentOf: (action) => recentActions(store, action),
    placesOf: (sessionId) => ({ home: layout.root, readableOutputs: outputsOf(sessionId) }),
    chooseView: commands.chooseView,
    everyCommandAsks: commands.everyCommandAsks,
    onError: (error) => void parts.storage.report(error),
  });
  const flushFacts = createFlush({
    pipeline,
    log,
    ids,
    clock,
    review: config.memory.review,
    proposals: memory.proposals,
    labelOf: (sessionId) => flows.labelOf(sessionId),
    auto: memory.auto,
  });
  const titles = new Titles({ log, ledger, model: (choice) => models.role('title', choice), now });
  const compactor = new ModelCompactor({
    settings: config.compaction,
    model: (choice) => models.role('compaction', choice),
    calls: { log, ledger, now },
    redaction: secrets,
    timers: systemTimers,
    counter: parts.counter,
    keepsFacts: (sessionId) =>
      store.getSession(sessionId)?.offTheRecord === false && !parts.programs.isOfProgram(sessionId),
    ...(config.memory.enabled
      ? { flushFacts: async (...call: Parameters<FlushFacts>) => void (await flushFacts(...call)) }
      : {}),
  });
  // Messages that come at once are all accepted and answered before the first of their runs begins; then one begins in each turn
  // of the event loop.
  const turns = new StartGate(1);
  const services: ActorServices = {
    log,
    redaction: secrets,
    agents,
    pipeline,
    tools,
    clock,
    timers: systemTimers,
    random: Math.random,
    ids,
    ledger,
    models,
    titles,
    skills: skills.source,
    folders,
    boxes: parts.boxes,
    cooldowns: new Cooldowns(clock, config.retry.cooldownSeconds * 1_000),
    retry: {
      enabled: config.retry.enabled,
      maxRetries: config.retry.maxRetries,
      baseDelayMs: config.retry.baseDelaySeconds * 1_000,
      maxDelayMs: config.retry.maxDelaySeconds * 1_000,
      jitter: config.retry.jitter,
    },
    compactor,
    clientCalls,
    counter: parts.counter,
    compaction: new SessionCompaction({
      log,
      compactor,
      now,
      model: (choice) => models.client(choice),
      counter: parts.counter,
    }),
    recovery: {
      audit,
      timers: systemTimers,
      hostOf,
      transactions: scratch,
      audited: () => parts.audited(),
    },
    transactions: scratch,
    labels: flows,
    limits: config.limits,
    queues: config.queues,
    initialGroups: initialGroupsOf(config.tools.initial),
    mind: parts.mind,
    prewarm: (sessionId, workingFolder) => workers.prewarm(sessionId, workingFolder),
    breathe: async () => {
      // A log that can't be flushed stops the run at its next record.
      await log.flush().catch(() => {});
      await turns.run(() => Promise.resolve());
    },
    keepCaller: (caller, sessionId) => parts.programs.keep(caller, sessionId, sessionId),
    async removeLeftovers(sessionId) {
      await commands.background.stopAll(sessionId);
      rmSync(outputsOf(sessionId), { recursive: true, force: true });
      flows.forget(sessionId);
      memory.forgetSession();
      skills.memory.forget(sessionId);
    },
    onReset: (sessionId) => skills.memory.clear(sessionId),
    onFailure: parts.onFailure,
    refuseWork: () => parts.storage.refuseWork(),
  };
  const sessions = new Sessions(services, layout);
  const tree = new SessionTree(sessions, services);
  const absent = shield.tiers.filter(({ present }) => !present);
  return {
    sessions,
    tree,
    titles,
    approvals,
    clientCalls,
    memory,
    skills: skills.source,
    absent: absent.map(({ name }) => name),
  };
}
