import type { OpenedActions } from '@bulkhead/actions/open-actions';
import { notTakenOver } from '@bulkhead/actions/policy/not-taken-over';
import type { PolicyKeeper } from '@bulkhead/actions/policy/policy-keeper';
import type { Home } from '@bulkhead/home/create-home';
import { readToken } from '@bulkhead/home/folder/read-token';
import { describeStorage, type Storage } from '@bulkhead/home/storage/storage';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import { CONFIRM_CLOCK } from '@bulkhead/home/time/describe-gap';
import type { Context } from '@bulkhead/log/context';
import type { OpenedLog } from '@bulkhead/log/open-log';
import type { KnownSecrets } from '@bulkhead/log/redaction/known-secrets';
import { initialGroupsOf } from '@bulkhead/log/session/tool-loading';
import { ContextService } from '@bulkhead/mind/context/context-service';
import type { MindRoom } from '@bulkhead/mind/create-mind';
import { boxLimits } from '@bulkhead/processes/boxes/box-limits';
import { describeBoxes } from '@bulkhead/processes/boxes/describe-boxes';
import type { Processes } from '@bulkhead/processes/create-processes';
import { refuseBadKeys } from '@bulkhead/processes/models/refuse-bad-keys';
import { describeView } from '@bulkhead/processes/transactions/command-view';
import { BulkheadError } from '@bulkhead/protocol';
import type { Runtime } from '@bulkhead/runtime/create-runtime';
import type { ProvenSandbox } from '../ground/open-sandbox.ts';
import { readSettings, type Settings } from '../ground/read-settings.ts';
import type { ClientServiceParts } from '../service/client-service-parts.ts';
import { serveClients } from '../service/serve-clients.ts';
import { openSettings } from '../settings/open-settings.ts';
import type { EngineOptions } from './engine-options.ts';
import { engineTools } from './engine-tools.ts';
import { openAccess } from './open-access.ts';
import { openConsole } from './open-console.ts';
import type { OpenedPort } from './open-http.ts';

/** The ways in for clients once the doors are open. */
export interface Doors {
  /** Empty without a port. */
  readonly httpAddress: string;
  /** Facts that a user should know about this engine. */
  readonly notices: readonly string[];
}

/** The rooms of an engine, in order of their dependencies. */
export interface Rooms {
  readonly home: Home;
  readonly log: OpenedLog;
  readonly processes: Processes;
  readonly actions: OpenedActions;
  readonly mind: MindRoom;
  readonly runtime: Runtime;
}

/** Opens the door behind the HTTP port, if there is one, and the clients' socket. */
export async function openDoors(
  context: Context,
  config: {
    readonly options: EngineOptions;
    readonly settings: Settings;
    readonly secrets: KnownSecrets;
    readonly proven: ProvenSandbox;
    /** The HTTP port, which listens since the boxes were proven; undefined without one. */
    readonly http: OpenedPort | undefined;
    /**
     * Resolves when the engine has drained, with the number of messages that the next one
     * continues.
     */
    readonly drained: Promise<number>;
    readonly rooms: Rooms;
  },
  stack: AsyncDisposableStack,
): Promise<Doors> {
  const { options, settings, secrets, proven, http, rooms } = config;
  const { clock, ids, log, audit, logger } = context;
  const { home, processes, actions, mind, runtime } = rooms;
  const { layout, storage, time } = home;
  const { logs, callers } = rooms.log;
  const { sessions, tree } = runtime;
  const { models, agents, workers, commands } = processes;
  const { undo, flow } = actions.services(sessions);
  const tools = engineTools(settings.config);
  const access = openAccess(context, { home, secrets }, stack);
  storage.onWritable(() => {
    access
      .writeEnds()
      .catch((err: unknown) => logger.error({ err }, 'an access that ended is still in the store'));
  });
  // A program whose access ends does nothing more, not even what it asked for before.
  stack.use(access.onEnd((id) => sessions.cancelOf(id)));
  const service = (): ClientServiceParts => serviceParts;
  http?.opened({ access, book: callers, service, health: () => healthOf(storage) });
  const skipped = () =>
    models.skippedFallbacks().map(({ name, reason }) => `fallback ${name} is left out: ${reason}`);
  const notices = noticesOf(http?.notice, proven, actions.absent);
  const facts = {
    supervisorPid: options.supervisorPid,
    startedAt: clock.now(),
    profile: settings.config.profile,
    httpAddress: () => http?.address ?? '',
    model: () => nameOrProblem(() => models.client({ model: '', baseUrl: '' }).name),
    processes: () => [
      ...agents.list().map((agent) => ({ kind: 'agent', ...agent })),
      ...workers.list().map((worker) => ({ kind: 'worker', ...worker })),
      ...commands.background
        .list()
        .filter(({ ended }) => ended === undefined)
        .map(({ pid, sessionId }) => ({ kind: 'command', pid, sessionId })),
    ],
    sandbox: () => proven.boxes,
    providerKeys: () => models.providerKeys(),
    notices: () => [
      ...describeStorage(storage.problems),
      ...policyNotices(actions.policies),
      ...clockNotices(time),
      ...continuingNotices(sessions.continuing),
      ...lostNotices(commands.background.lost),
      ...home.notices,
      ...logs.notices(),
      ...mind.notices(),
      ...notices,
      ...skipped(),
    ],
    boxes: describeBoxes(proven.report, boxLimits(settings.config)),
  };
  const handOverKeys = (keys: Readonly<Record<string, string>>): void => {
    refuseBadKeys(keys, models.providerKeys());
    secrets.add(...Object.values(keys));
    options.keepKeys(keys);
  };
  const stop = async (restart: boolean): Promise<number> => {
    // An engine that could not start again must not stop: the client that asked receives the error.
    if (restart) readSettings(layout, options.environment);
    options.stop(restart);
    return await config.drained;
  };
  const serviceParts: ClientServiceParts = {
    sessions,
    tree,
    ids,
    clock,
    log,
    approvals: actions.approvals,
    clientCalls: actions.clientCalls,
    trust: mind.trust,
    chronicle: actions.chronicle,
    undo,
    auditLog: logs.auditLog,
    audit,
    auditFolder: layout.audit,
    losses: logs.losses((sessionId) => sessions.takeUp(sessionId)),
    flow,
    memory: mind.memory.clientService,
    context: new ContextService({
      mind: mind.mind,
      models,
      tools,
      counter: mind.counter,
      sessions,
      log,
      skills: mind.skills,
      initialGroups: initialGroupsOf(settings.config.tools.initial),
    }),
    background: commands.background,
    privateHomes: { folders: commands.boxFolders, labels: actions.boxLabels },
    toolchains: () => commands.toolchains(),
    readableAround: (folder) => commands.readableAround(folder),
    skills: mind.skillServices,
    access,
    console: openConsole({ options, settings, policies: actions.policies, proven, context, models }, stack),
    time,
    handOverKeys,
    settings: openSettings({
      layout,
      settings,
      environment: options.environment,
      secrets,
      models,
      audit,
      clock,
    }),
    redact: secrets.redact,
    stop,
    onError: (error) => void storage.report(error),
    refuseChange: () => storage.refuseChange(),
    facts,
  };
  const clients = await serveClients(layout, serviceParts, {
    onError: (error) => logger.debug({ err: error }, 'a client left'),
  });
  stack.defer(() => clients.close());
  secrets.add(readToken(layout));
  return { httpAddress: http?.address ?? '', notices };
}

/** Contains no path: every program on this machine can read it. */
function healthOf({ problems }: Pick<Storage, 'problems'>): string {
  return problems.length === 0 ? 'ok' : 'reading_only';
}

/** Listed first: the user may believe that another policy is in force. */
function policyNotices({ problem, current }: PolicyKeeper): string[] {
  if (problem === undefined) return [];
  const version = current.digest.slice(0, 12);
  return [`POLICY ${notTakenOver(problem).message}; ${current.name} (version ${version}) stays in force`];
}

function clockNotices({ problem }: ConfirmedTime): string[] {
  return problem === undefined ? [] : [`CLOCK ${problem} If it is right: ${CONFIRM_CLOCK}`];
}

function lostNotices(commands: number): string[] {
  if (commands === 0) return [];
  const what = commands === 1 ? '1 background command' : `${commands} background commands`;
  return [`${what} ended with an earlier engine; see \`bulkhead processes\` for what is lost`];
}

function continuingNotices(messages: number): string[] {
  if (messages === 0) return [];
  const what = messages === 1 ? '1 message continues that was' : `${messages} messages continue that were`;
  return [`${what} not finished when the engine last ended`];
}

function noticesOf(http: string | undefined, proven: ProvenSandbox, absent: readonly string[]): string[] {
  const { shell } = proven.report.boxes;
  const { asks, view } = proven.commandBox;
  return [
    ...(http === undefined ? [] : [http]),
    ...(asks === undefined
      ? []
      : [`every command asks: ${asks.reason} (${shell.reason ?? shell.failed.join(', ')})`]),
    ...(view === undefined || view.kind === 'overlay' ? [] : [describeView(view)]),
    ...(absent.length === 0
      ? []
      : [`not set up: ${absent.join(', ')} (models.shield); you are asked in its place`]),
  ];
}

function nameOrProblem(name: () => string): string {
  try {
    return name();
  } catch (error) {
    return `none (${BulkheadError.from(error).message})`;
  }
}
