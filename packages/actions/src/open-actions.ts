import { randomBytes, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { listEntries } from '@bulkhead/audit';
import { Chronicle, Rollbacks } from '@bulkhead/chronicle';
import type { Config } from '@bulkhead/home/config/config-schema';
import type { Home } from '@bulkhead/home/create-home';
import { watchFolder } from '@bulkhead/home/folder/watch-folder';
import type { Context } from '@bulkhead/log/context';
import type { OpenedLog } from '@bulkhead/log/open-log';
import type { Processes } from '@bulkhead/processes/create-processes';
import type { Action } from '@bulkhead/protocol';
import type { SessionInfo } from '@bulkhead/sessions';
import { createShield, notPresent, presetPolicies } from '@bulkhead/shield';
import type { ToolRegistry } from '@bulkhead/tools';
import { ApprovalTokens } from './approvals/approval-tokens.ts';
import { isOwnerAtClient } from './approvals/approver.ts';
import { createTokenTable } from './approvals/token-table.ts';
import { type Actions, createActions } from './create-actions.ts';
import type { BoxLabels } from './flow/box-labels.ts';
import { flowRulesOf } from './flow/flow-rules-of.ts';
import { FlowService } from './flow/flow-service.ts';
import { createLabelTables } from './flow/label-tables.ts';
import { openFlows } from './flow/open-flows.ts';
import { rememberingFlowPolicy } from './flow/read-flow-policy.ts';
import type { SessionFlows } from './flow/session-flows.ts';
import { GrantService } from './grants/grant-service.ts';
import { createGrantTable } from './grants/grant-table.ts';
import { openClassifier } from './judging/open-classifier.ts';
import { openEvaluator } from './judging/open-evaluator.ts';
import { keepEnded } from './pipeline/keep-ended.ts';
import { addAlwaysRule } from './policy/always-file.ts';
import { PolicyKeeper } from './policy/policy-keeper.ts';
import { type PolicyInForce, readPolicy } from './policy/read-policy.ts';
import { ChronicleStage } from './snapshots/chronicle-stage.ts';
import { recoverChronicle } from './snapshots/recover-chronicle.ts';
import { UndoService } from './snapshots/undo-service.ts';

/**
 * Entries of a session to search for effects that cannot be undone: more than the steps of a
 * thousand actions.
 */
const MOST_ENTRIES_LOOKED_AT = 5_000;

export interface OpenActionsConfig {
  readonly home: Pick<Home, 'layout' | 'machine' | 'time'>;
  readonly settings: Pick<Config, 'chronicle' | 'models' | 'policy' | 'shield' | 'timeouts'>;
  /** In force from the start. */
  readonly policy: PolicyInForce;
  readonly tools: ToolRegistry;
  readonly log: OpenedLog;
  readonly processes: Processes;
}

/** Actions over the policy, labels, approvals and snapshots of a home. */
export interface OpenedActions extends Actions {
  readonly policies: PolicyKeeper;
  readonly flows: SessionFlows;
  /** Labels of private homes of commands. */
  readonly boxLabels: BoxLabels;
  readonly chronicle: Chronicle;
  /** Names of shield tiers that are not configured. */
  readonly absent: readonly string[];
  /** Repairs the state after a crash. @param canWrite false in a read-only home */
  recover(canWrite: boolean): Promise<void>;
  /** Undo and data flow for people: both check whether work is running in a session. */
  services(sessions: IdleSessions): { readonly undo: UndoService; readonly flow: FlowService };
}

/** Checks whether work is running in a session. */
interface IdleSessions {
  /** @throws BulkheadError `not_found` */
  session(id: string): SessionInfo;
  /** @throws BulkheadError `busy` */
  needIdle(id: string, purpose: string): void;
}

/**
 * @param stack closes everything opened here
 * @throws BulkheadError `store_corrupt` for unreadable labels or approvals, `config_invalid` for an
 * unusable classifier model
 */
export async function openActions(
  context: Context,
  config: OpenActionsConfig,
  stack: AsyncDisposableStack,
): Promise<OpenedActions> {
  const { clock, ids, log, logger, redaction, storage } = context;
  const { home, settings, tools, processes } = config;
  const { layout, machine } = home;
  const policies = watchPolicy(context, config, stack);
  const judges = await openJudges(context, config, policies);
  const { flows, labels, boxes, tier1 } = judges;
  processes.commands.background.onEnd(({ action: id }) => {
    flows.goingOn.over(id);
    Promise.all([flows.liveEnded(id), flows.boxEnded(id)]).catch((err: unknown) => {
      logger.error({ id, err }, 'what a background command wrote could not be labelled');
    });
  });
  const chronicle = Chronicle.open({
    folder: layout.chronicle,
    retention: settings.chronicle,
    now: () => clock.now(),
    confirmed: () => home.time.confirmed(),
  });
  const rollbacks = new Rollbacks({ chronicle, journals: `${layout.chronicle}/rollbacks` });
  // Other stores are only read: a failed write to an open file belongs to the chronicle.
  const placeOf = (error: unknown): string | undefined => (isWrite(error) ? layout.chronicle : undefined);
  const snapshots = new ChronicleStage({
    chronicle,
    redaction,
    onFailure: (actionId, error) => {
      logger.error({ actionId, err: error }, 'what an action left could not be seen');
      storage.report(error, placeOf(error));
    },
    onError: (error) => void storage.report(error, placeOf(error)),
  });
  processes.commands.background.decideBy(keepEnded({ ids, audit: context.audit, snapshots, labels: flows }));
  const approved = createTokenTable(config.log.logs.tables, clock.now());
  // The approvals of this engine process, under its own key.
  const tokens = new ApprovalTokens({ database: approved, key: randomBytes(32), clock, nonces: randomUUID });
  const shield = createShield({
    policy: () => policies.current,
    ...tier1,
    evaluator: evaluatorOf(context, config),
  });
  const table = createGrantTable(config.log.logs.tables, (problem) =>
    logger.error({ problem }, 'a stored grant serves nothing'),
  );
  const grants = new GrantService({ table, clock, ids });
  const actions = createActions(context, {
    tools,
    labels: flows,
    snapshots,
    shield,
    tokens,
    people: {
      machine,
      grants,
      approvalMs: settings.timeouts.approvalSeconds * 1_000,
      clientToolMs: settings.timeouts.clientToolSeconds * 1_000,
      mayAnswer: isOwnerAtClient,
      remember: (rule) => {
        addAlwaysRule(layout, rule);
        policies.reload();
      },
    },
    placesOf: (sessionId) => ({ home: layout.root, readableOutputs: processes.outputsOf(sessionId) }),
    commands: processes.commands,
  });
  return {
    ...actions,
    policies,
    flows,
    boxLabels: boxes,
    chronicle,
    absent: shield.tiers.filter(({ present }) => !present).map(({ name }) => name),
    async recover(canWrite) {
      for (const error of canWrite ? await recoverChronicle(chronicle, rollbacks) : [])
        logger.error({ err: error }, 'what an action or a rollback left could not be seen');
      flows.keepOnly(new Set(chronicle.list().map(({ id }) => id)));
      for (const error of [...(await flows.endLive()), ...flows.catchUp()])
        logger.error({ err: error }, 'what a session wrote could not be labelled');
    },
    services: (sessions) => ({
      undo: new UndoService(context, {
        entriesOf: (filter) => listEntries(layout.audit, filter, MOST_ENTRIES_LOOKED_AT),
        chronicle,
        rollbacks,
        queue: processes.commands.queue,
        labels: flows,
        isOpen: (actionId) => snapshots.isOpen(actionId),
        needIdle: (sessionId) => {
          // A deleted session has no running work.
          if (log.store.getSession(sessionId) !== undefined) sessions.needIdle(sessionId, 'be taken back');
        },
      }),
      flow: new FlowService({
        flows,
        labels,
        sessions,
        log,
        audit: context.audit,
        clock,
        sessionOf: async (action) => (await listEntries(layout.audit, { action }, 1))[0]?.session,
        policy: () => policies.current.flow,
      }),
    }),
  };
}

/** The policy in force, updated when its files change. Problems are in the log and in `status`. */
function watchPolicy(
  { logger, timers }: Context,
  { home, settings, policy }: OpenActionsConfig,
  stack: AsyncDisposableStack,
): PolicyKeeper {
  const readFlow = rememberingFlowPolicy();
  const keeper = new PolicyKeeper(
    policy,
    () => readPolicy(home.layout, settings.policy, readFlow),
    (change) => {
      if (change.what === 'refused') {
        logger.error({ err: change.error }, 'the policy is NOT taken over: the old one stays in force');
      } else {
        const { name, digest: version } = change.policy;
        logger.info({ policy: name, version, before: change.before }, 'the policy has changed');
      }
    },
  );
  stack.use(
    watchFolder(
      { folder: home.layout.policies, recursive: false, quietMs: 150, pollMs: 10_000 },
      timers,
      () => keeper.reload(),
      (error) => logger.warn({ err: error }, 'changes of the policy are seen late: they can not be watched'),
    ),
  );
  return keeper;
}

/** Tier 1 and information flow; both read the tool annotations from the same file. */
async function openJudges(
  { clock, log }: Context,
  { settings, tools, log: opened, processes }: OpenActionsConfig,
  policies: Pick<PolicyKeeper, 'current'>,
) {
  // Read each time: the file may change while the engine runs.
  const annotations = { get: (name: string) => policies.current.flow.tools.get(name) };
  // Large, and needed only by the first action: loaded while the first agent starts.
  const { createAnalysis, createCommandReadings } = await import('@bulkhead/shield/analysis');
  const preset = isPreset(settings.policy) ? settings.policy : 'default';
  const classifier = await openClassifier(settings.shield);
  const user = homedir();
  const asked = classifier === undefined ? {} : { classifier };
  const readings = createCommandReadings(user);
  const analysis = createAnalysis({ annotations, preset, home: user, readings, ...asked });
  const { flows, labels, boxes } = openFlows({
    policy: () => policies.current.flow,
    rules: flowRulesOf(preset),
    tables: createLabelTables(opened.logs.tables),
    store: log.store,
    tools,
    clock,
    readsOf: (action) => [...readings.readBy(action), ...aroundOf(processes, action)],
    boxUses: processes.commands.boxFolders,
  });
  return { flows, labels, boxes, tier1: { analysis, annotations, startedBy: readings.startedBy } };
}

/** A command may read all that its box shows, whatever its text names. */
function aroundOf({ commands }: Processes, { metadata }: Pick<Action, 'metadata'>): readonly string[] {
  const around = metadata.command === undefined ? undefined : commands.readableAround(metadata.workingFolder);
  const shown = [...(metadata.toolchains ?? []), ...(metadata.folders ?? [])].map(({ path }) => path);
  return around === undefined ? shown : [around, ...shown];
}

function evaluatorOf(context: Context, { home, settings, log, processes }: OpenActionsConfig) {
  if (settings.models.shield === undefined) return notPresent('model evaluator');
  return openEvaluator(context, {
    ledger: log.ledger,
    model: () => processes.models.role('shield'),
    machine: home.machine,
    time: home.time,
    days: log.days,
    timeoutMs: settings.timeouts.evaluationSeconds * 1_000,
    limits: {
      perMinute: settings.shield.evaluationsPerMinute,
      perDay: settings.shield.evaluationsPerDay,
    },
  });
}

function isWrite(error: unknown): boolean {
  if (!(error instanceof Error) || !('syscall' in error)) return false;
  return ['write', 'fsync', 'ftruncate'].includes(String(error.syscall)) && !('path' in error);
}

function isPreset(name: string): name is keyof typeof presetPolicies {
  return Object.hasOwn(presetPolicies, name);
}
