import { realpathSync } from 'node:fs';
import { arch, type as systemName } from 'node:os';
import { openAuditLog } from '@bulkhead/audit';
import { BulkheadError, createIdSource, homeLayout } from '@bulkhead/protocol';
import { acquireInstanceLock, createSqliteSessionStore } from '@bulkhead/sessions';
import { createShield, notPresent } from '@bulkhead/shield';
import { coreGroups, coreTools, createToolRegistry } from '@bulkhead/tools';
import { ApprovalDesk } from '../approvals/approval-desk.ts';
import { loadConfig } from '../config/load-config.ts';
import { loadPolicy } from '../config/load-policy.ts';
import { loadSecrets } from '../config/load-secrets.ts';
import { prepareHome } from '../home/prepare-home.ts';
import { ModelSource } from '../models/model-source.ts';
import { ActionPipeline } from '../pipeline/action-pipeline.ts';
import { labelsNotPresent, redactionNotPresent, snapshotsNotPresent } from '../pipeline/stages.ts';
import { type HealthServer, serveHealth } from '../service/health-server.ts';
import { serveClients } from '../service/serve-clients.ts';
import { SessionLog } from '../session/session-log.ts';
import { Sessions } from '../session/sessions.ts';
import type { EngineOptions } from './engine-options.ts';
import { openPools } from './open-pools.ts';
import { openSandbox } from './open-sandbox.ts';

export interface Engine {
  readonly httpAddress: string;
  /** Lets runs finish for a while, then ends everything that was started. */
  close(graceMs: number): Promise<void>;
}

/**
 * Wires the capabilities into one engine: the composition root. Order matters: the lock before anything is
 * opened, the walls proven before anything runs behind them, the socket last.
 *
 * @throws BulkheadError what is wrong and how to mend it; nothing is left running then
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  prepareHome(homeLayout(options.home));
  const layout = homeLayout(realpathSync(options.home));
  await using stack = new AsyncDisposableStack();
  stack.use(acquireInstanceLock(layout.lock, layout.root));
  const config = loadConfig(layout.config);
  const policy = loadPolicy(layout, config.policy);
  const secret = loadSecrets(layout.secrets);
  const logger = options.openLogger(layout);
  const { clock } = options;
  const ids = createIdSource(() => clock.now());
  const proving = openSandbox(options.dist, options.nodePath, layout.run);
  // Awaited below; if opening the store fails first, that is the error to report.
  proving.catch(() => {});
  const store = createSqliteSessionStore(layout.database);
  stack.defer(() => store.close());
  const proven = await proving;
  const { report } = proven;
  const audit = await openAuditLog(layout.audit, { clock });
  stack.defer(() => audit.close());

  const tools = createToolRegistry(coreTools, coreGroups);
  const initialGroups = config.tools.initial === 'core' ? coreGroups.map(({ name }) => name) : [];
  const outputsOf = (sessionId: string): string => `${layout.outputs}/${sessionId}`;
  const { agents, workers, shell } = openPools(
    { options, layout, config, proven, tools, initialGroups, outputsOf, logger },
    stack,
  );
  const log = new SessionLog({ store, clock, ids });
  const approvals = new ApprovalDesk({ clock, ids, timeoutMs: config.timeouts.approvalSeconds * 1_000 });
  const stages = { labels: labelsNotPresent, snapshots: snapshotsNotPresent, redaction: redactionNotPresent };
  const shield = createShield({
    policy: () => policy,
    analysis: notPresent('command analysis'),
    evaluator: notPresent('model evaluator'),
  });
  const pipeline = new ActionPipeline({
    clock,
    ids,
    tools: { get: (name) => tools.get(name), names: () => tools.groups().flatMap((group) => group.tools) },
    audit,
    approvals,
    shield,
    ...stages,
    hostOf: (tool) => (tool === 'bash' ? shell : workers),
    placesOf: (sessionId) => ({ home: layout.root, readableOutputs: outputsOf(sessionId) }),
  });
  const models = new ModelSource({
    configured: config.models.chat,
    keys: { environment: options.environment, secret },
    limits: {
      firstTokenMs: config.timeouts.firstTokenSeconds * 1_000,
      idleMs: config.timeouts.idleSeconds * 1_000,
    },
  });
  const sessions = new Sessions(
    {
      log,
      agents,
      pipeline,
      tools,
      clock,
      ids,
      model: (choice) => models.client(choice),
      limits: config.limits,
      initialGroups,
      platform: `${systemName()} ${arch()}`,
      prewarm: (sessionId, workingFolder) => workers.prewarm(sessionId, workingFolder),
    },
    layout,
  );
  await audit.append([
    {
      step: 'ENGINE_START',
      action: '',
      hash: '',
      session: '',
      tool: '',
      details: { pid: process.pid, policy: policy.name },
    },
  ]);
  const http: HealthServer | undefined = options.isolated ? undefined : await serveHealth(config.server.port);
  if (http !== undefined) stack.defer(() => http.close());
  const absent = [...Object.values(stages), ...shield.tiers]
    .filter(({ present }) => !present)
    .map(({ name }) => name);
  const notices = [
    ...(http?.notice === undefined ? [] : [http.notice]),
    ...(report.boxes.shell.ok
      ? []
      : [`bash is off: ${report.boxes.shell.reason ?? 'its box does not hold here'}`]),
    `not built yet: ${absent.join(', ')}`,
  ];
  const service = {
    sessions,
    log,
    approvals,
    stop: options.stop,
    facts: {
      supervisorPid: options.supervisorPid,
      startedAt: clock.now(),
      httpAddress: () => http?.address ?? '',
      model: () => nameOrProblem(() => models.client({ model: '', baseUrl: '' }).name),
      processes: () => [
        ...agents.list().map((agent) => ({ kind: 'agent', ...agent })),
        ...workers.list().map((worker) => ({ kind: 'worker', ...worker })),
      ],
      notices: () => notices,
    },
  };
  const onError = (error: unknown): void => logger.debug({ err: error }, 'a client left');
  const clients = await serveClients(layout, service, { onError });
  stack.defer(() => clients.close());
  sessions.recover();
  logger.info({ pid: process.pid, home: layout.root, http: http?.address, notices }, 'engine ready');
  const resources = stack.move();
  return {
    httpAddress: http?.address ?? '',
    close: async (graceMs) => {
      logger.info('engine stopping');
      await sessions.drain(graceMs);
      await resources.disposeAsync();
    },
  };
}

function nameOrProblem(name: () => string): string {
  try {
    return name();
  } catch (error) {
    return `none (${BulkheadError.from(error).message})`;
  }
}
