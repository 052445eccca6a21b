import { ApprovalService } from '@bulkhead/actions/approvals/approval-service';
import { OWNER } from '@bulkhead/actions/approvals/approver';
import { ActionPipeline } from '@bulkhead/actions/pipeline/action-pipeline';
import { noLabels, noSnapshots, testTokens } from '@bulkhead/actions/testing';
import { createDayTotals } from '@bulkhead/log/ledger/day-totals';
import { Ledger } from '@bulkhead/log/ledger/ledger';
import type { Sender } from '@bulkhead/log/session/sender';
import { SessionLog } from '@bulkhead/log/session/session-log';
import { loggedAudit } from '@bulkhead/log/testing';
import { plainMind } from '@bulkhead/mind/testing';
import { WorkingFolders } from '@bulkhead/processes/boxes/working-folders';
import { BulkheadError, createIdSource, homeLayout } from '@bulkhead/protocol';
import { Cooldowns } from '@bulkhead/runtime/run/model-chain';
import type { ActorServices } from '@bulkhead/runtime/session/actor-services';
import { SessionCompaction } from '@bulkhead/runtime/session/session-compaction';
import { Sessions } from '@bulkhead/runtime/session/sessions';
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

/** A folder that is always there; nothing is written to it. */
const WORKING_FOLDER = import.meta.dirname;
const APPROVAL_MS = 120_000;
/** As `main.ts` has it. */
const GRACE_MS = 2_500;
/** Made once: it holds nothing of a life. */
const redaction = createRedaction([]);

/** What people and the supervisor do with an engine. */
export interface EngineCore {
  readonly log: SessionLog;
  /** Makes a session that is watched from its start. */
  createSession(): string;
  send(
    sessionId: string,
    act: Extract<PersonAct, { act: 'send' }>,
    sender: Sender,
  ): Promise<{ readonly duplicate: boolean }>;
  /** @param messageId empty for whatever runs */
  cancel(sessionId: string, messageId: string): boolean;
  /** Makes the conversation of an idle session shorter. */
  compact(sessionId: string): Promise<void>;
  decide(approval: string, sessionId: string, hash: string, decision: 'allow' | 'deny'): boolean;
  recover(): Promise<void>;
  /** An orderly stop. Resolves when the engine has ended. */
  stop(): Promise<void>;
}

/**
 * The engine's core in one life, made of its own parts; only what is outside of it is simulated.
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
  const log = new SessionLog({ store, clock, ids, redaction });
  const folders = new WorkingFolders(store);
  const tools = simulatedTools();
  const approvals = new ApprovalService({
    clock,
    machine: { sinceBoot: () => clock.monotonic() },
    timers,
    ids,
    timeoutMs: APPROVAL_MS,
    mayAnswer: () => true,
    remember: () => {},
  });
  const host = new SimulatedToolHost({
    life,
    random,
    faults,
    ledger: effects,
    files,
    effectOf: (name) => tools.get(name)?.effect ?? 'once',
    starting: (call) => world.checkAnnounced(call),
  });
  const pipeline = new ActionPipeline({
    clock,
    timers,
    ids,
    tools: { get: (name) => tools.get(name), names: () => ['look', 'put', 'add', 'send'] },
    audit,
    labels: noLabels,
    snapshots: noSnapshots,
    redaction,
    shield: simulatedShield(life, random),
    approvals,
    tokens: testTokens(clock),
    hostOf: () => host,
    placesOf: () => ({ home: layout.root, readableOutputs: layout.outputs }),
  });
  const ledger = new Ledger({
    store,
    time: { believed: () => clock.now() },
    days: createDayTotals(memoryTables()),
    caps: { perDay: undefined, perSession: undefined },
  });
  const model = (name: string) => new SimulatedModel(name, { life, random, answers, faults, malformed });
  const first = model('simulated/first');
  const compactor = simulatedCompactor(life, random);
  const titles = new Titles({ log, ledger, model: () => first, now: () => clock.now() });
  const services: ActorServices = {
    log,
    redaction,
    agents: simulatedAgents(world, life),
    pipeline,
    tools,
    clock,
    timers,
    random: () => random.next(),
    ledger,
    cooldowns: new Cooldowns(clock, 60_000),
    retry: {
      enabled: true,
      maxRetries: 3,
      baseDelayMs: 2_000,
      maxDelayMs: 60_000,
      jitter: random.chance(0.3),
    },
    compactor,
    ids,
    folders,
    boxes: 'on',
    models: {
      client: () => first,
      fallbacks: () => (random.chance(0.5) ? [model('other/second')] : []),
      refresh: () => random.chance(0.3),
      outputLimit: () => undefined,
    },
    limits: { maxRounds: random.pick([2, 5]), maxOutputTokens: 1_000 },
    queues: random.chance(0.3) ? { steer: 'all', followUp: 'all' } : { steer: 'one', followUp: 'one' },
    initialGroups: ['simulated'],
    mind: plainMind('simulation'),
    recovery: { audit, timers, hostOf: () => host },
    titles,
    compaction: new SessionCompaction({ log, compactor, now: () => clock.now(), model: () => first }),
    prewarm: () => {},
    breathe: () => life.scope.wait('a turn begins'),
    removeLeftovers: () => Promise.resolve(),
    onFailure: (sessionId, error) => {
      world.trace.note(`session ${sessionId.slice(-4)} fails: ${error.message}`);
      // As the composition root does: only a fresh start reads what is really on the disk.
      if (error.code === 'audit_failed' || (error.code === 'store_failed' && !error.retryable)) restart();
    },
  };
  const sessions = new Sessions(services, layout);
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
      // Who sent it to an engine that dies hears that its connection is gone.
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
