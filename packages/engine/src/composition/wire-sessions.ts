import { rmSync } from 'node:fs';
import type { ApprovalService } from '@bulkhead/actions/approvals/approval-service';
import type { ApprovalTokens } from '@bulkhead/actions/approvals/approval-tokens';
import type { ClientCallService } from '@bulkhead/actions/client-tools/client-call-service';
import { openEvaluator } from '@bulkhead/actions/judging/open-evaluator';
import { recentActions } from '@bulkhead/actions/judging/recent-actions';
import { ActionPipeline } from '@bulkhead/actions/pipeline/action-pipeline';
import type { SnapshotStage } from '@bulkhead/actions/pipeline/stages';
import type { PolicyKeeper } from '@bulkhead/actions/policy/policy-keeper';
import type { AuditSink } from '@bulkhead/audit';
import type { ModelRole } from '@bulkhead/home/config/config-schema';
import type { Storage } from '@bulkhead/home/storage/storage';
import type { CallerTables, ProgramSessions } from '@bulkhead/log/callers/caller-tables';
import type { DayTotals } from '@bulkhead/log/ledger/day-totals';
import { Ledger } from '@bulkhead/log/ledger/ledger';
import type { KnownSecrets } from '@bulkhead/log/redaction/known-secrets';
import { SessionLog } from '@bulkhead/log/session/session-log';
import type { Embedder } from '@bulkhead/memory';
import type { Mind } from '@bulkhead/mind/context/mind';
import { createFlush, type FlushFacts } from '@bulkhead/mind/memory/flush-facts';
import type { MemoryIndex } from '@bulkhead/mind/memory/memory-index';
import type { Memory } from '@bulkhead/mind/memory/open-memory';
import type { OpenedSkills } from '@bulkhead/mind/skills/open-skills';
import type { SkillSource } from '@bulkhead/mind/skills/skill-source';
import type { TokenCounter } from '@bulkhead/models';
import type { WorkingFolders } from '@bulkhead/processes/boxes/working-folders';
import { ModelSource } from '@bulkhead/processes/models/model-source';
import { StartGate } from '@bulkhead/processes/pools/start-gate';
import {
  BulkheadError,
  type Clock,
  createIdSource,
  type HomeLayout,
  type IdSource,
  systemTimers,
} from '@bulkhead/protocol';
import type { AuditedFate } from '@bulkhead/runtime/recovery/action-fate';
import { AgentCompactor } from '@bulkhead/runtime/run/agent-compactor';
import { Cooldowns } from '@bulkhead/runtime/run/model-chain';
import type { ActorServices } from '@bulkhead/runtime/session/actor-services';
import { createResultHost } from '@bulkhead/runtime/session/result-host';
import { SessionCompaction } from '@bulkhead/runtime/session/session-compaction';
import { SessionTree } from '@bulkhead/runtime/session/session-tree';
import { Sessions } from '@bulkhead/runtime/session/sessions';
import { Titles } from '@bulkhead/runtime/session/titles';
import type { SessionStore, Tables } from '@bulkhead/sessions';
import { createShield, notPresent } from '@bulkhead/shield';
import { coreGroups, type ToolRegistry } from '@bulkhead/tools';
import type { Settings } from '../ground/read-settings.ts';
import type { Judges } from './open-judges.ts';
import type { Pools } from './open-pools.ts';
import { openServices } from './open-services.ts';
import type { Timing } from './open-timing.ts';
import { toolHosts } from './tool-hosts.ts';
import { wireMemory } from './wire-memory.ts';

/** The part of the engine that clients talk to, and what is absent from it. */
export interface WiredSessions {
  readonly sessions: Sessions;
  readonly tree: SessionTree;
  readonly titles: Titles;
  readonly ids: IdSource;
  readonly log: SessionLog;
  readonly approvals: ApprovalService;
  readonly clientCalls: ClientCallService;
  readonly models: ModelSource;
  readonly memory: Memory;
  readonly skills: SkillSource;
  /** Names of stages and tiers that it has not. */
  readonly absent: readonly string[];
}

/** Tool groups a session has from its start. */
export function initialGroupsOf(initial: 'core' | 'none'): readonly string[] {
  return initial === 'core' ? coreGroups.map(({ name }) => name) : [];
}

/** Joins store, audit, policy, pipeline, models and pools into sessions. Starts nothing. */
export function wireSessions(
  parts: Timing & {
    readonly layout: HomeLayout;
    readonly settings: Settings;
    readonly policies: PolicyKeeper;
    readonly secrets: KnownSecrets;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly clock: Clock;
    readonly store: SessionStore;
    readonly tables: Tables;
    readonly days: DayTotals;
    readonly programs: ProgramSessions & Pick<CallerTables, 'keep'>;
    readonly audit: AuditSink;
    /** What the audit log says of actions without a recorded end. */
    audited(): ReadonlyMap<string, AuditedFate>;
    readonly tokens: ApprovalTokens;
    readonly tools: ToolRegistry;
    readonly snapshots: SnapshotStage;
    readonly judges: Judges;
    readonly mind: Mind;
    readonly counter: TokenCounter;
    readonly folders: WorkingFolders;
    readonly skills: OpenedSkills;
    readonly pools: Pools;
    /** `off`: every run says that nothing in it is boxed. */
    readonly boxes: 'on' | 'off';
    /** A model of this machine, if nothing else is configured. */
    readonly local: ModelRole | undefined;
    readonly storage: Pick<Storage, 'refuseWork' | 'report'>;
    outputsOf(sessionId: string): string;
    onFailure(sessionId: string, error: BulkheadError): void;
    /** Called once, when there is something to find. */
    openMemoryIndex(embedder: Embedder | undefined): Promise<MemoryIndex>;
    /** Something about memory that a person should know. */
    onMemoryProblem(problem: string): void;
  },
): WiredSessions {
  const { layout, settings, policies, secrets, clock, store, tools, pools, outputsOf } = parts;
  const { config } = settings;
  const secret = (name: string) => {
    const value = settings.secret(name);
    secrets.add(value);
    return value;
  };
  const { agents, workers, shell, processes, web, ledger: ledgerOfCommands } = pools;
  const ids = createIdSource(() => clock.now());
  const log = new SessionLog({ store, clock, ids, redaction: secrets });
  const now = () => clock.now();
  const { approvals, clientCalls } = openServices({ ...parts, timeouts: config.timeouts, ids });
  const { flows, analysis, annotations, parseCommand } = parts.judges;
  const stages = { labels: flows, snapshots: parts.snapshots };
  const models = new ModelSource({
    models: config.models,
    local: parts.local,
    keys: { environment: parts.environment, secret },
    limits: {
      firstTokenMs: config.timeouts.firstTokenSeconds * 1_000,
      idleMs: config.timeouts.idleSeconds * 1_000,
      totalMs: config.timeouts.answerSeconds * 1_000,
    },
  });
  const ledger = new Ledger({
    ...parts,
    caps: { perDay: config.spend.perDay, perSession: config.spend.perSession },
  });
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
          days: parts.days,
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
    parseCommand,
  });
  const memory = wireMemory({
    layout,
    config,
    keys: { environment: parts.environment, secret },
    ledger,
    ids,
    clock,
    log,
    store,
    tables: parts.tables,
    audit: parts.audit,
    redaction: secrets,
    snapshots: parts.snapshots,
    judges: parts.judges,
    queue: pools.queue,
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
  const hosts = { shell, processes, web: web.host, memory: memory.host, results };
  const hostOf = toolHosts(tools, hosts, workers);
  const pipeline = new ActionPipeline({
    clock,
    timers: systemTimers,
    ids,
    tools: { get: (name) => tools.get(name), names: () => tools.groups().flatMap((group) => group.tools) },
    audit: parts.audit,
    approvals,
    tokens: parts.tokens,
    shield,
    ...stages,
    redaction: secrets,
    hostOf,
    recentOf: (action) => recentActions(store, action),
    placesOf: (sessionId) => ({ home: layout.root, readableOutputs: outputsOf(sessionId) }),
    chooseView: pools.chooseView,
    everyCommandAsks: pools.everyCommandAsks,
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
  const compactor = new AgentCompactor({
    settings: config.compaction,
    agents,
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
    folders: parts.folders,
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
      audit: parts.audit,
      timers: systemTimers,
      hostOf,
      transactions: ledgerOfCommands,
      audited: () => parts.audited(),
    },
    transactions: ledgerOfCommands,
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
      await pools.background.stopAll(sessionId);
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
  const absent = [...Object.values(stages), compactor, ...shield.tiers].filter(({ present }) => !present);
  return {
    sessions,
    tree,
    titles,
    ids,
    log,
    approvals,
    clientCalls,
    models,
    memory,
    skills: skills.source,
    absent: absent.map(({ name }) => name),
  };
}
