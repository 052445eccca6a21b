import { randomBytes, randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { ApprovalTokens } from '@bulkhead/actions/approvals/approval-tokens';
import { createTokenTable } from '@bulkhead/actions/approvals/token-table';
import { FlowService } from '@bulkhead/actions/flow/flow-service';
import { recoverChronicle } from '@bulkhead/actions/snapshots/recover-chronicle';
import { UndoService } from '@bulkhead/actions/snapshots/undo-service';
import { listEntries } from '@bulkhead/audit';
import type { Storage } from '@bulkhead/home/storage/storage';
import { createDayTotals } from '@bulkhead/log/ledger/day-totals';
import { redactingAudit } from '@bulkhead/log/redaction/redacting-audit';
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
import { WorkingFolders } from '@bulkhead/processes/boxes/working-folders';
import { askOllama } from '@bulkhead/processes/models/ask-ollama';
import { findLocalModel } from '@bulkhead/processes/models/suggested-model';
import { systemTimers } from '@bulkhead/protocol';
import { openLogs } from '@bulkhead/runtime/agreement/open-logs';
import type { ProvenBoxes } from '../ground/prove-boxes.ts';
import { readSettings } from '../ground/read-settings.ts';
import type { EngineOptions } from './engine-options.ts';
import { engineTools } from './engine-tools.ts';
import { knownSecrets } from './known-secrets.ts';
import { openCallers } from './open-callers.ts';
import { openChronicle } from './open-chronicle.ts';
import { openDoors } from './open-doors.ts';
import type { OpenedHome } from './open-home.ts';
import { openHttp } from './open-http.ts';
import { openJudges } from './open-judges.ts';
import { openLogger } from './open-logger.ts';
import { openMind } from './open-mind.ts';
import { openPools } from './open-pools.ts';
import { openStorage } from './open-storage.ts';
import { openTiming } from './open-timing.ts';
import { openWitnesses } from './open-witnesses.ts';
import { orderlyEnd } from './orderly-end.ts';
import { watchPolicy } from './watch-policy.ts';
import { initialGroupsOf, wireSessions } from './wire-sessions.ts';

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
 * @param home that this process has locked
 * @param proving under way
 * @throws BulkheadError what is wrong and how to mend it; nothing is left running then
 */
export async function wireEngine(
  options: EngineOptions,
  { layout, readingOnly, refilled, isReplaced, untraced }: OpenedHome,
  proving: Promise<ProvenBoxes>,
): Promise<Engine> {
  const { clock, environment } = options;
  await using stack = new AsyncDisposableStack();
  const settings = readSettings(layout, environment);
  const secrets = knownSecrets(settings, environment);
  const { logger } = openLogger(layout, secrets, clock, stack);
  if (refilled.length > 0)
    logger.warn(
      { policies: refilled },
      'a power cut had emptied policies of a new home; they have the shipped text again',
    );
  if (isReplaced) logger.warn(REPLACED_HOME);
  if (untraced !== undefined)
    logger.warn({ err: untraced }, 'no record outside the home says that it is here');
  const timing = openTiming(options, layout, logger, stack);

  const limits = boxLimits(settings.config);
  // What is open is only known once all of it is.
  const opened: { storage?: Storage } = {};
  // What a copy of the log is given must not reach a witness.
  const witnesses = readingOnly === undefined ? settings.config.audit.witnesses : [];
  const witnessing = openWitnesses({ ...settings.config.audit, witnesses }, { request: fetch, logger });
  const beforeDurable = (): void => opened.storage?.refuseGone();
  const mustExist = options.restarted;
  const areCopies = readingOnly !== undefined;
  const opening = { layout, clock, witnessing, logger, mustExist, areCopies, beforeDurable };
  const logs = await openLogs(opening, stack);
  const { store, tables, auditLog } = logs;
  const reopen = (): void => options.stop(true);
  const storage = stack.use(
    openStorage({ layout: readingOnly?.home ?? layout, clock, logger, restarted: options.restarted, reopen }),
  );
  opened.storage = storage;
  if (readingOnly !== undefined) storage.beginReadingOnly(readingOnly.error);
  const audit = redactingAudit(logs.audit, secrets);
  const finding = findLocalModel({
    configured: settings.config.models.chat,
    keys: { environment, secret: settings.secret },
    ask: () => askOllama(environment, fetch),
  });
  finding.catch(() => {});
  const { proven, selfProbe, controlled } = await proving;

  const tools = engineTools(settings.config);
  const policies = stack.use(watchPolicy(layout, settings, logger)).keeper;
  const judging = openJudges({ config: settings.config, store, tables, tools, clock, policies });
  // Awaited below; if a pool can't be opened, that is the error to report.
  judging.catch(() => {});
  const initialGroups = initialGroupsOf(settings.config.tools.initial);
  const outputsOf = (sessionId: string): string => `${layout.outputs}/${sessionId}`;
  const isOffTheRecord = (sessionId: string): boolean => store.getSession(sessionId)?.offTheRecord === true;
  const folders = new WorkingFolders(store);
  const pools = openPools(
    {
      options,
      layout,
      config: settings.config,
      proven,
      selfProbe,
      tools,
      folders,
      initialGroups,
      outputsOf,
      redaction: secrets,
      isOffTheRecord,
      onOutputError: (error) => void storage.report(error, layout.outputs),
      onBackgroundEnd: async (id) => (await judging).flows.liveEnded(id),
      logger,
    },
    stack,
  );
  const report = (error: unknown, path?: string): void => void storage.report(error, path);
  const { time } = timing;
  const { config } = settings;
  const { chronicle, rollbacks, snapshots } = openChronicle({
    ...{ layout, config, clock, time, redaction: secrets, logger, report },
  });
  // The approvals of this life of the engine, under a key of its own.
  const approvals = createTokenTable(tables, clock.now());
  const tokens = new ApprovalTokens({ database: approvals, key: randomBytes(32), clock, nonces: randomUUID });
  const judges = await judging;
  const trust = new TrustStore({ layout, audit, clock });
  const memoryNotices = new MemoryNotices((problem) => logger.warn({ problem }, 'memory'));
  const callers = openCallers(layout, config.server.workingFolder, logs, time);
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
    profile: settings.config.profile,
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
    environment,
    clock,
    ...timing,
    days: createDayTotals(tables),
    store,
    tables,
    audit,
    audited: () => logs.audited,
    tokens,
    tools,
    folders,
    skills,
    pools,
    boxes: proven.boxes,
    local: await finding,
    outputsOf,
    storage,
    openMemoryIndex: async (embedder) =>
      new MemoryThread({
        ...(embedder === undefined ? {} : { embedder }),
        entry: pathToFileURL(`${options.dist}/memory.js`),
        path: memoryPlaces(layout, settings.config.profile).index,
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
  await Promise.all([pools.warmed, controlled]);
  const details = {
    pid: process.pid,
    policy: settings.policy.name,
    policyVersion: settings.policy.digest,
    ...sandboxFacts(proven),
  };
  const { port } = settings.config.server;
  const http = options.isolated ? undefined : await openHttp({ options, port, logger }, stack);
  // Nothing that is written to copies is of use to anybody, and nothing that waits may begin.
  if (readingOnly === undefined) {
    await audit.append([{ step: 'ENGINE_START', action: '', hash: '', session: '', tool: '', details }]);
    // Before any run is taken up: what is on the disk now was compared, and is flushed.
    await logs.agree();
  }
  // Before anything runs in any folder: what a crash left half changed is undone.
  for (const error of await pools.ledger.recover(logs.open)) {
    logger.error({ err: error }, 'a folder is not in order; no command runs there');
  }
  for (const error of readingOnly === undefined ? await recoverChronicle(chronicle, rollbacks) : []) {
    logger.error({ err: error }, 'what an action or a rollback left could not be seen');
  }
  judges.flows.keepOnly(new Set(chronicle.list().map(({ id }) => id)));
  for (const error of [...(await judges.flows.endLive()), ...judges.flows.catchUp()]) {
    logger.error({ err: error }, 'what a session wrote could not be labelled');
  }
  // Before anybody can send anything: what is open in the log must be in line first.
  if (readingOnly === undefined) wired.sessions.recover();
  const undo = new UndoService({
    entriesOf: (filter) => listEntries(layout.audit, filter, MOST_ENTRIES_LOOKED_AT),
    chronicle,
    rollbacks,
    queue: pools.queue,
    audit,
    ids: wired.ids,
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
    log: wired.log,
    audit,
    clock,
    sessionOf: async (action) => (await listEntries(layout.audit, { action }, 1))[0]?.session,
    policy: () => policies.current.flow,
  });
  const context = new ContextService({
    mind,
    models: wired.models,
    tools,
    counter,
    sessions: wired.sessions,
    log: wired.log,
    skills: wired.skills,
    initialGroups,
  });
  const end = orderlyEnd(wired, logger);
  const doors = await openDoors(
    {
      drained: end.drained,
      http,
      options,
      layout,
      settings,
      book: callers,
      policies,
      wired,
      pools,
      proven,
      trust,
      chronicle,
      undo,
      auditLog,
      audit,
      flow,
      context,
      skills: skills.services,
      limits,
      secrets,
      time: timing.time,
      logger,
      storage,
      home: readingOnly?.home,
      losses: logs.losses((sessionId) => wired.sessions.takeUp(sessionId)),
      promptNotices: () => [
        ...(isReplaced ? [REPLACED_HOME] : []),
        ...logs.notices(),
        ...notices(),
        ...memoryNotices.all,
      ],
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

const REPLACED_HOME =
  'this home is not the one that was used here before: that one was removed or replaced. A backup has to be put back by you.';

/** For the audit log and the engine's own. */
function sandboxFacts(proven: ProvenBoxes['proven']): Readonly<Record<string, string>> {
  return { sandbox: proven.boxes, ...('wouldHave' in proven ? { boxes: proven.wouldHave } : {}) };
}
