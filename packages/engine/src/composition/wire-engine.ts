import { randomBytes, randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { ApprovalTokens } from '@bulkhead/actions/approvals/approval-tokens';
import { createTokenTable } from '@bulkhead/actions/approvals/token-table';
import { FlowService } from '@bulkhead/actions/flow/flow-service';
import { recoverChronicle } from '@bulkhead/actions/snapshots/recover-chronicle';
import { UndoService } from '@bulkhead/actions/snapshots/undo-service';
import { listEntries } from '@bulkhead/audit';
import { createHome } from '@bulkhead/home/create-home';
import type { OpenedHome } from '@bulkhead/home/open-home';
import { openLog } from '@bulkhead/log/open-log';
import { knownSecrets } from '@bulkhead/log/redaction/secrets-of-environment';
import { initialGroupsOf } from '@bulkhead/log/session/tool-loading';
import { MemoryThread } from '@bulkhead/memory';
import { ContextService } from '@bulkhead/mind/context/context-service';
import { ownersRecall } from '@bulkhead/mind/context/owners-recall';
import type { MemoryRecall } from '@bulkhead/mind/context/recall';
import { MemoryNotices } from '@bulkhead/mind/memory/memory-notices';
import { memoryPlaces } from '@bulkhead/mind/memory/memory-places';
import { openSkills } from '@bulkhead/mind/skills/open-skills';
import { TrustStore } from '@bulkhead/mind/trust/trust-store';
import { createTokenCounter } from '@bulkhead/models';
import { boxLimits } from '@bulkhead/processes/boxes/box-limits';
import { createProcesses } from '@bulkhead/processes/create-processes';
import { askOllama } from '@bulkhead/processes/models/ask-ollama';
import { findLocalModel } from '@bulkhead/processes/models/suggested-model';
import { systemTimers } from '@bulkhead/protocol';
import type { ProvenBoxes } from '../ground/prove-boxes.ts';
import { readSettings } from '../ground/read-settings.ts';
import type { EngineOptions } from './engine-options.ts';
import { engineTools } from './engine-tools.ts';
import { openChronicle } from './open-chronicle.ts';
import { openDoors } from './open-doors.ts';
import { openHttp } from './open-http.ts';
import { openJudges } from './open-judges.ts';
import { openMind } from './open-mind.ts';
import { orderlyEnd } from './orderly-end.ts';
import { watchPolicy } from './watch-policy.ts';
import { wireSessions } from './wire-sessions.ts';

/** Entries of a session that are looked through for what can't be undone: more than the steps of a thousand actions. */
const MOST_ENTRIES_LOOKED_AT = 5_000;

export interface Engine {
  /** Empty without a port. */
  readonly httpAddress: string;
  /** Lets runs finish for a while, leaves the rest to the next engine, and ends everything that was started. */
  close(graceMs: number): Promise<void>;
}

/**
 * Wires the capabilities into one engine: the composition root. Order matters: the walls proven before anything runs behind
 * them, the doors last.
 *
 * @param locked the home that this process has locked
 * @param proving under way
 * @throws BulkheadError what is wrong and how to mend it; nothing is left running then
 */
export async function wireEngine(
  options: EngineOptions,
  locked: OpenedHome,
  proving: Promise<ProvenBoxes>,
): Promise<Engine> {
  const { clock, machine, environment, restarted } = options;
  await using stack = new AsyncDisposableStack();
  const settings = readSettings(locked.layout, environment);
  const { config } = settings;
  const secrets = knownSecrets(settings, environment);
  const reopen = (): void => options.stop(true);
  const seams = { clock, machine, timers: systemTimers };
  const home = createHome(seams, { locked, redaction: secrets, restarted, reopen }, stack);
  const { layout, storage, logger, time } = home;
  const isReadingOnly = home.original !== layout;
  const log = await openLog(
    seams,
    { home, secrets, settings: config, mustExist: restarted, request: fetch },
    stack,
  );
  const { context, logs, callers } = log;
  const { store, tables } = logs;
  const { audit } = context;
  const keys = {
    environment,
    secret: (name: string) => {
      const value = settings.secret(name);
      secrets.add(value);
      return value;
    },
  };
  const finding = findLocalModel({
    configured: config.models.chat,
    keys: { environment, secret: settings.secret },
    ask: () => askOllama(environment, fetch),
  });
  finding.catch(() => {});
  const { proven, selfProbe, controlled } = await proving;

  const tools = engineTools(config);
  const policies = stack.use(watchPolicy(layout, settings, logger)).keeper;
  const judging = openJudges({ config, store, tables, tools, clock, policies });
  // Awaited below; if a pool can't be opened, that is the error to report.
  judging.catch(() => {});
  const isOffTheRecord = (sessionId: string): boolean => store.getSession(sessionId)?.offTheRecord === true;
  const processes = await createProcesses(
    context,
    {
      layout,
      settings: config,
      walls: { ...proven, selfProbe },
      tools,
      dist: options.dist,
      nodePath: options.nodePath,
      keys,
      local: finding,
    },
    stack,
  );
  const report = (error: unknown, path?: string): void => void storage.report(error, path);
  const { chronicle, rollbacks, snapshots } = openChronicle({
    ...{ layout, config, clock, time, redaction: secrets, logger, report },
  });
  // The approvals of this life of the engine, under a key of its own.
  const approvals = createTokenTable(tables, clock.now());
  const tokens = new ApprovalTokens({ database: approvals, key: randomBytes(32), clock, nonces: randomUUID });
  const judges = await judging;
  const { background, queue, scratch } = processes.commands;
  background.onEnd(({ id }) => {
    judges.flows.liveEnded(id).catch((err: unknown) => {
      logger.error({ id, err }, 'what a background command wrote could not be labelled');
    });
  });
  const trust = new TrustStore({ layout, audit, clock });
  const memoryNotices = new MemoryNotices((problem) => logger.warn({ problem }, 'memory'));
  const { promise: remembering, resolve: remember } = Promise.withResolvers<MemoryRecall>();
  const { mind, notices } = openMind({
    layout,
    profileFolder: settings.profile.folder,
    dist: options.dist,
    trust,
    tools,
    clock,
    recall: { recall: async (question) => (await remembering).recall(question) },
    programs: callers,
    logger,
  });
  const skills = openSkills({
    layout,
    environment,
    profile: config.profile,
    trust,
    audit,
    clock,
    tell: (warning) => logger.warn({ warning }, 'skills'),
  });
  const counter = createTokenCounter(`${options.dist}/tokens.mjs`);
  const wired = wireSessions({
    programs: callers,
    counter,
    layout,
    mind,
    snapshots,
    judges,
    settings,
    policies,
    secrets,
    keys,
    machine,
    time,
    log,
    tables,
    audited: () => logs.audited,
    tokens,
    tools,
    skills,
    processes,
    boxes: proven.boxes,
    storage,
    openMemoryIndex: async (embedder) =>
      new MemoryThread({
        ...(embedder === undefined ? {} : { embedder }),
        entry: pathToFileURL(`${options.dist}/memory.js`),
        path: memoryPlaces(layout, config.profile).index,
        timers: systemTimers,
        onNotice: ({ text }) => memoryNotices.tell(text),
      }),
    onMemoryProblem: (problem) => memoryNotices.tell(problem),
    onFailure: (sessionId, error) => {
      // Off the record, even what went wrong may quote what was said.
      const what = isOffTheRecord(sessionId) ? { code: error.code } : { sessionId, err: error };
      logger.error(what, 'a session can not go on');
      // What SQLite wrote may be gone after such an error; only a fresh start reads what is really there. The audit log
      // writes nothing more after its first failure either. A disk that fails is waited for before.
      const inDoubt = error.code === 'audit_failed' || (error.code === 'store_failed' && !error.retryable);
      if (!storage.report(error) && inDoubt) reopen();
    },
  });
  stack.use(wired.memory);
  remember(ownersRecall(wired.memory.service, callers));
  stack.defer(() => wired.titles.close());
  // The first agent starts while all this is joined; nothing goes on without it, nor before the attempts that it made count.
  await Promise.all([processes.warmed, controlled]);
  const details = {
    pid: process.pid,
    policy: settings.policy.name,
    policyVersion: settings.policy.digest,
    ...sandboxFacts(proven),
  };
  const { port } = config.server;
  const http = options.isolated ? undefined : await openHttp({ options, port, logger }, stack);
  // Nothing that is written to copies is of use to anybody, and nothing that waits may begin.
  if (!isReadingOnly) {
    await audit.append([{ step: 'ENGINE_START', action: '', hash: '', session: '', tool: '', details }]);
    // Before any run is taken up: what is on the disk now was compared, and is flushed.
    await logs.agree();
  }
  // Before anything runs in any folder: what a crash left half changed is undone.
  for (const error of await scratch.recover(logs.open)) {
    logger.error({ err: error }, 'a folder is not in order; no command runs there');
  }
  for (const error of !isReadingOnly ? await recoverChronicle(chronicle, rollbacks) : []) {
    logger.error({ err: error }, 'what an action or a rollback left could not be seen');
  }
  judges.flows.keepOnly(new Set(chronicle.list().map(({ id }) => id)));
  for (const error of [...(await judges.flows.endLive()), ...judges.flows.catchUp()]) {
    logger.error({ err: error }, 'what a session wrote could not be labelled');
  }
  // Before anybody can send anything: what is open in the log must be in line first.
  if (!isReadingOnly) wired.sessions.recover();
  const undo = new UndoService({
    entriesOf: (filter) => listEntries(layout.audit, filter, MOST_ENTRIES_LOOKED_AT),
    chronicle,
    rollbacks,
    queue,
    audit,
    ids: context.ids,
    labels: judges.flows,
    isOpen: (actionId) => snapshots.isOpen(actionId),
    needIdle: (sessionId) => {
      // One that was deleted has nothing under way.
      if (store.getSession(sessionId) !== undefined) wired.sessions.needIdle(sessionId, 'be taken back');
    },
  });
  const flow = new FlowService({
    flows: judges.flows,
    labels: judges.labels,
    sessions: wired.sessions,
    log: context.log,
    audit,
    clock,
    sessionOf: async (action) => (await listEntries(layout.audit, { action }, 1))[0]?.session,
    policy: () => policies.current.flow,
  });
  const contextService = new ContextService({
    mind,
    models: processes.models,
    tools,
    counter,
    sessions: wired.sessions,
    log: context.log,
    skills: wired.skills,
    initialGroups: initialGroupsOf(config.tools.initial),
  });
  const end = orderlyEnd({ sessions: wired.sessions, log: context.log }, logger);
  const doors = await openDoors(
    {
      drained: end.drained,
      http,
      options,
      layout,
      settings,
      book: callers,
      policies,
      context,
      wired,
      processes,
      proven,
      trust,
      chronicle,
      undo,
      auditLog: logs.auditLog,
      flow,
      contextService,
      skills: skills.services,
      limits: boxLimits(config),
      secrets,
      time,
      logger,
      storage,
      home: isReadingOnly ? home.original : undefined,
      losses: logs.losses((sessionId) => wired.sessions.takeUp(sessionId)),
      promptNotices: () => [...home.notices, ...logs.notices(), ...notices(), ...memoryNotices.all],
    },
    stack,
  );
  wired.memory.begin();
  logger.info({ pid: process.pid, home: layout.root, ...doors }, 'engine ready');
  if (proven.boxes === 'off') logger.warn(sandboxFacts(proven), 'NO SANDBOX: --insecure-no-sandbox');

  const resources = stack.move();
  return {
    httpAddress: doors.httpAddress,
    close: async (graceMs) => {
      await end.drain(graceMs);
      await logs.agreeAtEnd();
      await resources.disposeAsync();
    },
  };
}

/** For the audit log and the engine's own. */
function sandboxFacts(proven: ProvenBoxes['proven']): Readonly<Record<string, string>> {
  return { sandbox: proven.boxes, ...('wouldHave' in proven ? { boxes: proven.wouldHave } : {}) };
}
