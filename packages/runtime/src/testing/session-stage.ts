import { createActions } from '@bulkhead/actions/create-actions';
import type { LabelStage } from '@bulkhead/actions/pipeline/stages';
import { heldBackCommands, noLabels, noSnapshots, testTokens } from '@bulkhead/actions/testing';
import type { AgentEvent } from '@bulkhead/agent';
import type { AuditInput } from '@bulkhead/audit';
import { type Reply, shortly, silent, streamed } from '@bulkhead/home/testing';
import type { Context } from '@bulkhead/log/context';
import { createDayTotals } from '@bulkhead/log/ledger/day-totals';
import type { Ledger } from '@bulkhead/log/ledger/ledger';
import { createLog } from '@bulkhead/log/open-log';
import type { AcceptedInput } from '@bulkhead/log/session/accepted-input';
import { SILENT_SENDER } from '@bulkhead/log/session/sender';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { plainMind } from '@bulkhead/mind/testing';
import { WorkingFolders } from '@bulkhead/processes/boxes/working-folders';
import type { AgentProcess } from '@bulkhead/processes/pools/agent-pool';
import { SimulatedAgent } from '@bulkhead/processes/testing';
import {
  type BulkheadError,
  createIdSource,
  type FileChange,
  type FileState,
  homeLayout,
  type ModelCall,
  type ModelClient,
  type ModelPrice,
  type Redaction,
  type SessionEvent,
  type ToolHost,
  type ToolHostCall,
  type ToolResult,
} from '@bulkhead/protocol';
import { createMemorySessionStore, type SessionStore } from '@bulkhead/sessions';
import { memoryTables } from '@bulkhead/sessions/testing';
import { createRedaction, type Shield } from '@bulkhead/shield';
import { Scheduler, SeededRandom, Trace, VirtualTime } from '@bulkhead/testkit/simulation';
import {
  coreGroups,
  coreTools,
  createToolRegistry,
  everyGroup,
  type ToolRegistry,
  toolsOf,
} from '@bulkhead/tools';
import { createRuntime } from '../create-runtime.ts';
import type { Compactor } from '../run/compactor.ts';
import type {
  SessionEngine,
  SessionMind,
  SessionServices,
  SessionSettings,
} from '../session/session-services.ts';
import type { Sessions } from '../session/sessions.ts';
import { sentMessage } from './run-stage.ts';

const OFF = { enabled: false, at: 1, keep: 1 };
const NO_COMPACTOR: Compactor = { settings: OFF, compact: async () => undefined };

/** A tool call that takes as long as `run` does; the default does nothing and says so. */
type Act = (call: ToolHostCall, signal: AbortSignal) => Promise<ToolResult> | ToolResult;

export interface StageOptions {
  readonly replies?: readonly Reply[];
  readonly fallbacks?: Readonly<Record<string, readonly Reply[]>>;
  readonly act?: Act;
  /** The planned changes of a call. */
  readonly changes?: readonly FileChange[];
  /** Files as an inspection finds them. */
  readonly files?: readonly FileState[];
  readonly store?: SessionStore;
  readonly redaction?: Redaction;
  readonly compactor?: Compactor;
  /** Of the stage's own parts, where `compactor` is not given. */
  readonly compactorOf?: (context: Context, parts: { readonly ledger: Ledger }) => Compactor;
  readonly shield?: Pick<Shield, 'judge'>;
  /** Information flow over the stage's store; none if not given. */
  readonly labels?: (store: SessionStore, tools: ToolRegistry) => LabelStage;
  /** Hosts of groups of tools, beside the one that does what a test says. */
  readonly hosts?: (stage: StageGround) => Readonly<Record<string, ToolHost>>;
  readonly settings?: Partial<SessionSettings>;
  readonly mind?: Partial<SessionMind>;
  readonly engine?: Partial<SessionEngine>;
  /** Instead of agents that run the real loop. */
  readonly agents?: SessionServices['processes']['agents'];
  /** Makes agents hostile: what the engine hears in the place of what they say. */
  readonly forge?: (event: AgentEvent) => AgentEvent;
  /** Of every model, US dollars per million tokens; 1 if not given. */
  readonly price?: ModelPrice | undefined;
  readonly caps?: { readonly perDay?: number; readonly perSession?: number };
}

/** The parts of the stage that hosts of a test may use. */
export interface StageGround {
  readonly context: Context;
  readonly log: SessionLog;
  readonly store: SessionStore;
  readonly labels: LabelStage;
  readonly time: VirtualTime;
}

/**
 * Sessions with everything of the engine that decides, in virtual time: models are scripted, tools do what a test
 * says, agents run the real loop.
 */
export function sessionStage(options: StageOptions = {}) {
  const random = new SeededRandom(1);
  const time = new VirtualTime();
  const scheduler = new Scheduler(random, time, new Trace(200));
  const scope = scheduler.scope('engine');
  // Ids differ from one engine to the next over the same store; nothing is decided by them.
  const ids = createIdSource(() => time.now());
  const store = options.store ?? createMemorySessionStore();
  const redaction = options.redaction ?? createRedaction([]);
  const audited: AuditInput[] = [];
  const audit = {
    append: async (entries: readonly AuditInput[]) => {
      audited.push(...entries);
      return [];
    },
  };
  const seams = { clock: time, timers: scope, ids, store, audit, redaction, ...silent };
  const { context, ledger } = createLog(seams, {
    time: { believed: () => time.now() },
    days: createDayTotals(memoryTables()),
    caps: { perDay: options.caps?.perDay, perSession: options.caps?.perSession },
  });
  const { log } = context;
  const calls: ToolHostCall[] = [];
  const act = options.act ?? ((call: ToolHostCall) => ({ text: `${call.tool} done`, isError: false }));
  const host: ToolHost = {
    execute: async (call, _update, signal) => {
      calls.push(call);
      return await act(call, signal);
    },
    plan: async () => ({ text: 'would do it', isError: false, changes: options.changes ?? [] }),
    inspect: async () => options.files ?? [],
  };
  const asked: { readonly model: string; readonly call: ModelCall }[] = [];
  const signals: AbortSignal[] = [];
  const model = (name: string, replies: readonly Reply[]): ModelClient => {
    let next = 0;
    return {
      name,
      contextWindow: 100_000,
      price: 'price' in options ? options.price : { input: 1, output: 1, cachedInput: 1 },
      async *stream(call, signal) {
        asked.push({ model: name, call });
        signals.push(signal);
        const reply = replies[next] ?? { text: 'nothing more to say' };
        next += 1;
        await scope.wait('the model thinks', { ms: reply.waitMs ?? 1, signal });
        yield* streamed(reply);
      },
    };
  };
  let renews = (): boolean => false;
  const first = model('first/m', options.replies ?? []);
  const fallbacks = Object.entries(options.fallbacks ?? {}).map(([name, replies]) => model(name, replies));
  const tools = createToolRegistry([...coreTools, ...toolsOf('web'), ...toolsOf('memory')], everyGroup);
  const labels = options.labels?.(store, tools) ?? noLabels;
  const hosts = options.hosts?.({ context, log, store, labels, time }) ?? {};
  const hostOf = (name: string): ToolHost => hosts[tools.get(name)?.group ?? ''] ?? host;
  const layout = homeLayout('/nowhere/home');
  const agents = new Set<SimulatedAgent>();
  const pool: SessionServices['processes']['agents'] = options.agents ?? {
    lease: async () => {
      const agent = new SimulatedAgent(agents.size + 1, scheduler.scope('agent'), scope, () => false);
      agents.add(agent);
      const { forge } = options;
      return forge === undefined ? agent : forging(agent, forge);
    },
    release: () => {},
    noteDeath: () => {},
  };
  const upkeep = {
    compactor: options.compactorOf?.(context, { ledger }) ?? options.compactor ?? NO_COMPACTOR,
    titles: { consider: () => {} },
  };
  const actions = createActions(context, {
    tools,
    labels,
    snapshots: noSnapshots,
    shield: options.shield ?? {
      judge: async () => ({ decision: 'allow', tier: 0, rule: 'test', reason: 'test', confidence: 1 }),
    },
    tokens: testTokens(time),
    people: {
      machine: { sinceBoot: () => time.monotonic() },
      approvalMs: 300_000,
      clientToolMs: 300_000,
      mayAnswer: () => true,
      remember: () => {},
    },
    placesOf: () => ({ home: layout.root, readableOutputs: layout.outputs }),
    commands: heldBackCommands,
  });
  const { approvals, clientCalls } = actions;
  const failures: BulkheadError[] = [];
  const { sessions, tree } = createRuntime(context, {
    layout,
    settings: {
      boxes: 'on',
      cooldownMs: 60_000,
      retry: { enabled: true, maxRetries: 3, baseDelayMs: 2_000, maxDelayMs: 60_000, jitter: false },
      limits: { maxRounds: 25, maxOutputTokens: 1_000 },
      queues: { steer: 'all', followUp: 'one' },
      initialGroups: coreGroups.map(({ name }) => name),
      ...options.settings,
    },
    processes: { agents: pool, folders: new WorkingFolders(store), prewarm: () => {} },
    actions: { pipeline: actions.pipeline(hostOf), tools, labels, clientCalls, hostOf },
    models: {
      client: () => first,
      fallbacks: () => fallbacks,
      refresh: () => renews(),
      outputLimit: () => undefined,
      ledger,
    },
    mind: { ...plainMind('test'), ...options.mind },
    upkeep,
    engine: {
      random: () => random.next(),
      audited: () => new Map(),
      breathe: () => scope.wait('a turn begins', { ms: 0 }),
      removeLeftovers: () => Promise.resolve(),
      keepCaller: () => {},
      onReset: () => {},
      onFailure: (_session, error) => failures.push(error),
      ...options.engine,
    },
  });
  const stage = {
    renew: (next: () => boolean): void => {
      renews = next;
    },
    signals,
    sessions,
    tree,
    store,
    log,
    time,
    scheduler,
    approvals,
    clientCalls,
    asked,
    calls,
    audited,
    agents,
    failures,
  };
  return { ...stage, ...doings(stage) };
}

function forging(agent: AgentProcess, forge: (event: AgentEvent) => AgentEvent): AgentProcess {
  const next = async (): Promise<AgentEvent | undefined> => {
    const event = await agent.next();
    return event === undefined ? undefined : forge(event);
  };
  return { pid: agent.pid, connection: agent.connection, kill: () => agent.kill(), next };
}

interface Stage {
  readonly sessions: Sessions;
  readonly log: SessionLog;
  readonly store: SessionStore;
  readonly scheduler: Scheduler;
  readonly time: VirtualTime;
}

function doings({ sessions, log, store, scheduler, time }: Stage) {
  const events = (sessionId: string): SessionEvent[] =>
    log.eventsAfter(sessionId, 0, 100_000).map(({ json }) => JSON.parse(json));
  return {
    events,
    create: () => sessions.create(import.meta.dirname),
    send: (sessionId: string, messageId: string, fields: Partial<AcceptedInput> = {}) =>
      sessions.processMessage(
        SILENT_SENDER,
        sessionId,
        sentMessage(messageId, { content: messageId, ...fields }),
      ),
    /** Lets everything happen that will, or what does within so many milliseconds. */
    async settle(ms = Number.POSITIVE_INFINITY): Promise<void> {
      const until = time.monotonic() + ms;
      await scheduler.drained();
      while (await scheduler.step(until));
      if (ms !== Number.POSITIVE_INFINITY) time.advanceTo(until);
    },
    types: (sessionId: string) => events(sessionId).map(({ type }) => type),
    settled: (sessionId: string) => events(sessionId).filter((event) => event.type === 'settled'),
    outcomes: (sessionId: string) =>
      events(sessionId).flatMap((event) =>
        event.type === 'settled' ? [`${event.message} ${event.outcome}`] : [],
      ),
    /** The conversation as a model would be shown it. */
    history: (sessionId: string) =>
      log.conversation(sessionId, store.getSession(sessionId)?.leaf ?? null, 1_000_000).map(shortly),
  };
}
