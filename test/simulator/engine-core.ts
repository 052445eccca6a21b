import { OWNER } from '@bulkhead/actions/approvals/approver';
import { createActions } from '@bulkhead/actions/create-actions';
import { heldBackCommands, noLabels, noSnapshots, testTokens } from '@bulkhead/actions/testing';
import { silent } from '@bulkhead/home/testing';
import { createDayTotals } from '@bulkhead/log/ledger/day-totals';
import { createLog } from '@bulkhead/log/open-log';
import type { Sender } from '@bulkhead/log/session/sender';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { loggedAudit } from '@bulkhead/log/testing';
import { plainMind } from '@bulkhead/mind/testing';
import { WorkingFolders } from '@bulkhead/processes/boxes/working-folders';
import { BulkheadError, createIdSource, homeLayout } from '@bulkhead/protocol';
import { createRuntime } from '@bulkhead/runtime/create-runtime';
import { Titles } from '@bulkhead/runtime/session/titles';
import { memoryTables } from '@bulkhead/sessions/testing';
import { createRedaction } from '@bulkhead/shield';
import type { Life } from './life.ts';
import type { PersonAct } from './person-script.ts';
import { simulatedAgents } from './simulated-agents.ts';
import { simulatedCompactor } from './simulated-compactor.ts';
import { SimulatedModel } from './simulated-model.ts';
import { simulatedShield } from './simulated-shield.ts';
import { SimulatedToolHost } from './simulated-tool-host.ts';
import { simulatedTools } from './simulated-tools.ts';
import type { Surroundings } from './surroundings.ts';

/** A folder that always exists; no test writes to it. */
const WORKING_FOLDER = import.meta.dirname;
const APPROVAL_MS = 120_000;
/** As in `main.ts`. */
const GRACE_MS = 2_500;
/** Created once: it holds no state of a life. */
const redaction = createRedaction([]);

/** Actions of people and the supervisor on an engine. */
export interface EngineCore {
  readonly log: SessionLog;
  /** Creates a session that is watched from its start. */
  createSession(): string;
  send(
    sessionId: string,
    act: Extract<PersonAct, { act: 'send' }>,
    sender: Sender,
  ): Promise<{ readonly duplicate: boolean }>;
  /** @param messageId empty for the current run */
  cancel(sessionId: string, messageId: string): boolean;
  /** Compacts the conversation of an idle session. */
  compact(sessionId: string): Promise<void>;
  decide(approval: string, sessionId: string, hash: string, decision: 'allow' | 'deny'): boolean;
  recover(): Promise<void>;
  /** An orderly stop. Resolves when the engine has ended. */
  stop(): Promise<void>;
}

/**
 * The engine's core for one life, built of its own parts; only its surroundings are simulated.
 *
 * @param watch called with each new session
 */
export function openEngineCore(
  world: Surroundings,
  life: Life,
  watch: (sessionId: string) => void,
): EngineCore {
  const restart = (): void => void life.scope.later('stops, to start anew', () => life.die('kill'));
  const { random, time: clock, ledger: effects, files, answers } = world;
  const faults = () => world.faults;
  const malformed = (what: string) => world.violated(what);
  const timers = life.scope;
  const layout = homeLayout('/nowhere/bulkhead');
  const store = world.disk.open(life);
  const audit = loggedAudit(world.audit.open(life), world.disk);
  world.checkLogsAgree();
  const ids = createIdSource(
    () => clock.now(),
    () => random.next(),
  );
  const { context, ledger } = createLog(
    { clock, timers, ids, store, audit, redaction, ...silent },
    {
      time: { believed: () => clock.now() },
      days: createDayTotals(memoryTables()),
      caps: { perDay: undefined, perSession: undefined },
    },
  );
  const { log } = context;
  const tools = simulatedTools();
  const host = new SimulatedToolHost({
    life,
    random,
    faults,
    ledger: effects,
    files,
    effectOf: (name) => tools.get(name)?.effect ?? 'once',
    starting: (call) => world.checkAnnounced(call),
  });
  const hostOf = () => host;
  const actions = createActions(context, {
    tools,
    labels: noLabels,
    snapshots: noSnapshots,
    shield: simulatedShield(life, random),
    tokens: testTokens(clock),
    people: {
      machine: { sinceBoot: () => clock.monotonic() },
      approvalMs: APPROVAL_MS,
      clientToolMs: APPROVAL_MS,
      mayAnswer: () => true,
      remember: () => {},
    },
    placesOf: () => ({ home: layout.root, readableOutputs: layout.outputs }),
    commands: heldBackCommands,
  });
  const { approvals, clientCalls } = actions;
  const model = (name: string) => new SimulatedModel(name, { life, random, answers, faults, malformed });
  const first = model('simulated/first');
  const titles = new Titles({ log, ledger, model: () => first, now: () => clock.now() });
  const { sessions } = createRuntime(context, {
    layout,
    settings: {
      boxes: 'on',
      cooldownMs: 60_000,
      retry: {
        enabled: true,
        maxRetries: 3,
        baseDelayMs: 2_000,
        maxDelayMs: 60_000,
        jitter: random.chance(0.3),
      },
      limits: { maxRounds: random.pick([2, 5]), maxOutputTokens: 1_000 },
      queues: random.chance(0.3) ? { steer: 'all', followUp: 'all' } : { steer: 'one', followUp: 'one' },
      initialGroups: ['simulated'],
    },
    processes: {
      agents: simulatedAgents(world, life),
      folders: new WorkingFolders(store),
      prewarm: () => {},
    },
    actions: { pipeline: actions.pipeline(hostOf), tools, labels: noLabels, clientCalls, hostOf },
    models: {
      client: () => first,
      fallbacks: () => (random.chance(0.5) ? [model('other/second')] : []),
      refresh: () => random.chance(0.3),
      outputLimit: () => undefined,
      ledger,
    },
    mind: plainMind('simulation'),
    upkeep: { compactor: simulatedCompactor(life, random), titles },
    engine: {
      random: () => random.next(),
      audited: () => new Map(),
      breathe: () => life.scope.wait('a turn begins'),
      removeLeftovers: () => Promise.resolve(),
      keepCaller: () => {},
      onReset: () => {},
      onFailure: (sessionId, error) => {
        world.trace.note(`session ${sessionId.slice(-4)} fails: ${error.message}`);
        // As the composition root does: only a fresh start reads the real disk.
        if (error.code === 'audit_failed' || (error.code === 'store_failed' && !error.retryable)) restart();
      },
    },
  });
  return {
    log,
    createSession() {
      const id = sessions.create(WORKING_FOLDER);
      watch(id);
      return id;
    },
    async send(sessionId, { messageId, delivery, approve, dryRun }, sender) {
      const options = { approve, dryRun, model: '', baseUrl: '', maxRounds: 0 };
      const input = { messageId, content: `about ${messageId}`, images: [], delivery, options };
      // The sender to a dying engine learns that its connection is gone.
      const gone = Promise.withResolvers<never>();
      gone.promise.catch(() => {});
      life.onDeath(() => gone.reject(new BulkheadError('not_running', 'the connection is gone')));
      return await Promise.race([sessions.processMessage(sender, sessionId, input), gone.promise]);
    },
    cancel: (sessionId, messageId) => sessions.cancel(sessionId, messageId),
    compact: async (sessionId) => {
      await sessions.actor(sessionId).runCompaction('');
    },
    decide: (approval, session, hash, decision) =>
      approvals.decide({ approval, session, hash }, { decision, scope: 'once', approver: OWNER }),
    recover: async () => sessions.recover(),
    async stop() {
      await sessions.drain(GRACE_MS);
      life.die('stop');
    },
  };
}
