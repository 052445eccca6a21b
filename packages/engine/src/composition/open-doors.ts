import type { FlowService } from '@bulkhead/actions/flow/flow-service';
import { notTakenOver } from '@bulkhead/actions/policy/not-taken-over';
import type { PolicyKeeper } from '@bulkhead/actions/policy/policy-keeper';
import type { UndoService } from '@bulkhead/actions/snapshots/undo-service';
import type { AuditLog } from '@bulkhead/audit';
import type { Chronicle } from '@bulkhead/chronicle';
import { readToken } from '@bulkhead/home/folder/read-token';
import { describeStorage, type Storage } from '@bulkhead/home/storage/storage';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import { CONFIRM_CLOCK } from '@bulkhead/home/time/describe-gap';
import type { CallerBook } from '@bulkhead/http';
import type { LossService } from '@bulkhead/log/agreement/loss-service';
import type { Context } from '@bulkhead/log/context';
import type { KnownSecrets } from '@bulkhead/log/redaction/known-secrets';
import type { ContextService } from '@bulkhead/mind/context/context-service';
import type { SkillServices } from '@bulkhead/mind/skills/skill-calls';
import type { TrustStore } from '@bulkhead/mind/trust/trust-store';
import type { BoxLimits } from '@bulkhead/processes/boxes/box-limits';
import { describeBoxes } from '@bulkhead/processes/boxes/describe-boxes';
import type { Processes } from '@bulkhead/processes/create-processes';
import { refuseBadKeys } from '@bulkhead/processes/models/refuse-bad-keys';
import { describeView } from '@bulkhead/processes/transactions/command-view';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import type { Logger } from 'pino';
import type { ProvenSandbox } from '../ground/open-sandbox.ts';
import { readSettings, type Settings } from '../ground/read-settings.ts';
import type { ClientServiceParts } from '../service/client-service-parts.ts';
import { serveClients } from '../service/serve-clients.ts';
import { openSettings } from '../settings/open-settings.ts';
import type { EngineOptions } from './engine-options.ts';
import { openAccess } from './open-access.ts';
import { openConsole } from './open-console.ts';
import type { OpenedPort } from './open-http.ts';
import type { WiredSessions } from './wire-sessions.ts';

/** What clients find once the doors are open. */
export interface Doors {
  /** Empty without a port. */
  readonly httpAddress: string;
  /** What a user should know about this engine. */
  readonly notices: readonly string[];
}

/**
 * Opens the door behind the HTTP port, if there is one, and the clients' socket.
 */
export async function openDoors(
  parts: {
    readonly options: EngineOptions;
    readonly layout: HomeLayout;
    readonly settings: Settings;
    readonly policies: PolicyKeeper;
    readonly context: Context;
    readonly wired: WiredSessions;
    readonly processes: Processes;
    readonly proven: ProvenSandbox;
    readonly trust: TrustStore;
    readonly chronicle: Chronicle;
    readonly undo: UndoService;
    readonly auditLog: AuditLog;
    readonly book: CallerBook;
    readonly losses: LossService;
    readonly flow: FlowService;
    readonly contextService: ContextService;
    readonly skills: SkillServices;
    readonly limits: BoxLimits;
    readonly secrets: KnownSecrets;
    readonly time: ConfirmedTime;
    readonly logger: Logger;
    readonly storage: Pick<Storage, 'problems' | 'report' | 'refuseChange' | 'onWritable'>;
    /** The home itself, if `layout` leads to copies. */
    readonly home: HomeLayout | undefined;
    /** The HTTP port, which has listened since the walls were proven; undefined without one. */
    readonly http: OpenedPort | undefined;
    /** Resolves when the engine has drained, with the number of messages that the next one continues. */
    readonly drained: Promise<number>;
    /** What a person should know of the texts an agent is told. */
    promptNotices(): readonly string[];
  },
  stack: AsyncDisposableStack,
): Promise<Doors> {
  const { options, layout, settings, wired, processes, trust, chronicle, undo, auditLog, flow, logger } =
    parts;
  const { sessions, tree, approvals, clientCalls } = wired;
  const { models, agents, workers, commands } = processes;
  const { ids, log, audit } = parts.context;
  const { secrets, book, time } = parts;
  const access = openAccess(
    { layout, home: parts.home, clock: options.clock, machine: options.machine, time, ids, secrets, audit },
    stack,
  );
  parts.storage.onWritable(() => {
    access
      .writeEnds()
      .catch((err: unknown) => logger.error({ err }, 'an access that ended is still in the store'));
  });
  const service = (): ClientServiceParts => serviceParts;
  const { http } = parts;
  http?.opened({ access, book, service, health: () => healthOf(parts.storage) });
  const skipped = () =>
    models.skippedFallbacks().map(({ name, reason }) => `fallback ${name} is left out: ${reason}`);
  const notices = noticesOf(http?.notice, parts.proven, wired.absent);
  const facts = {
    supervisorPid: options.supervisorPid,
    startedAt: options.clock.now(),
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
    sandbox: () => parts.proven.boxes,
    providerKeys: () => models.providerKeys(),
    notices: () => [
      ...describeStorage(parts.storage.problems),
      ...policyNotices(parts.policies),
      ...clockNotices(time),
      ...continuingNotices(sessions.continuing),
      ...parts.promptNotices(),
      ...notices,
      ...skipped(),
    ],
    boxes: describeBoxes(parts.proven.report, parts.limits),
  };
  const handOverKeys = (keys: Readonly<Record<string, string>>): void => {
    refuseBadKeys(keys, models.providerKeys());
    secrets.add(...Object.values(keys));
    options.keepKeys(keys);
  };
  const stop = async (restart: boolean): Promise<number> => {
    // An engine that could not start again must not stop: what is wrong goes to the client that asked.
    if (restart) readSettings(layout, options.environment);
    options.stop(restart);
    return await parts.drained;
  };
  const serviceParts: ClientServiceParts = {
    sessions,
    tree,
    ids,
    clock: options.clock,
    log,
    approvals,
    clientCalls,
    trust,
    chronicle,
    undo,
    auditLog,
    audit,
    auditFolder: layout.audit,
    losses: parts.losses,
    flow,
    memory: wired.memory.clientService,
    context: parts.contextService,
    background: commands.background,
    skills: parts.skills,
    access,
    console: openConsole({ ...parts, models }, stack),
    time,
    handOverKeys,
    settings: openSettings({
      layout,
      settings,
      environment: options.environment,
      secrets,
      models,
      audit,
      clock: options.clock,
    }),
    redact: secrets.redact,
    stop,
    onError: (error) => void parts.storage.report(error),
    refuseChange: () => parts.storage.refuseChange(),
    facts,
  };
  const clients = await serveClients(layout, serviceParts, {
    onError: (error) => logger.debug({ err: error }, 'a client left'),
  });
  stack.defer(() => clients.close());
  secrets.add(readToken(layout));
  return { httpAddress: http?.address ?? '', notices };
}

/** Names no place: it is told to everybody on this machine. */
function healthOf({ problems }: Pick<Storage, 'problems'>): string {
  return problems.length === 0 ? 'ok' : 'reading_only';
}

/** First of all: somebody thinks that another policy is in force. */
function policyNotices({ problem, current }: PolicyKeeper): string[] {
  if (problem === undefined) return [];
  const version = current.digest.slice(0, 12);
  return [`POLICY ${notTakenOver(problem).message}; ${current.name} (version ${version}) stays in force`];
}

function clockNotices({ problem }: ConfirmedTime): string[] {
  return problem === undefined ? [] : [`CLOCK ${problem} If it is right: ${CONFIRM_CLOCK}`];
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
