import { mkdirSync, realpathSync } from 'node:fs';
import { arch, type as systemName } from 'node:os';
import { create } from '@bufbuild/protobuf';
import { openAuditLog } from '@bulkhead/audit';
import { BulkheadError, type Clock, createIdSource, type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { InitialToolDefsSchema } from '@bulkhead/protocol/agent';
import { acquireInstanceLock, createSqliteSessionStore } from '@bulkhead/sessions';
import { createShield, notPresent } from '@bulkhead/shield';
import { coreGroups, coreTools, createToolRegistry } from '@bulkhead/tools';
import type { Logger } from 'pino';
import { ApprovalDesk } from './approvals/approval-desk.ts';
import { loadConfig } from './config/load-config.ts';
import { loadSecrets } from './config/load-secrets.ts';
import { prepareHome } from './home/prepare-home.ts';
import { loadPolicy } from './load-policy.ts';
import { ModelSource } from './models/model-source.ts';
import { openSandbox } from './open-sandbox.ts';
import { ActionPipeline } from './pipeline/action-pipeline.ts';
import { labelsNotPresent, redactionNotPresent, snapshotsNotPresent } from './pipeline/stages.ts';
import { AgentPool } from './pools/agent-pool.ts';
import { WorkerPool } from './pools/worker-pool.ts';
import { boxedShell } from './processes/boxed-shell.ts';
import { ripgrepPath } from './processes/ripgrep-path.ts';
import { spawnAgent } from './processes/spawn-agent.ts';
import { spawnWorker } from './processes/spawn-worker.ts';
import { groupList, LoadedTools } from './run/tool-loading.ts';
import { type HealthServer, serveHealth } from './service/health-server.ts';
import { serveClients } from './service/serve-clients.ts';
import { SessionLog } from './session/session-log.ts';
import { Sessions } from './session/sessions.ts';

/** What the engine is given by its process. */
export interface EngineOptions {
  /** `BULKHEAD_HOME`, absolute. */
  readonly home: string;
  /** Folder of the bundles. */
  readonly dist: string;
  readonly nodePath: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** No HTTP port. */
  readonly isolated: boolean;
  readonly clock: Clock;
  readonly supervisorPid: number;
  /** Opened once the home is there. */
  openLogger(layout: HomeLayout): Logger;
  /** A client asked for the end. */
  stop(restart: boolean): void;
}

export interface Engine {
  readonly httpAddress: string;
  /** Lets runs finish for a while, then ends everything that was started. */
  close(graceMs: number): Promise<void>;
}

/** After this long without a call a worker ends. */
const WORKER_IDLE_MS = 60_000;

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
  stack.use(acquireInstanceLock(layout.lock));
  const config = loadConfig(layout.config);
  const policy = loadPolicy(layout, config.policy);
  const secret = loadSecrets(layout.secrets);
  const logger = options.openLogger(layout);
  const { clock } = options;
  const ids = createIdSource(() => clock.now());
  const proving = openSandbox(options.dist, options.nodePath, layout.run);
  const store = createSqliteSessionStore(layout.database);
  stack.defer(() => store.close());
  const { sandbox, report } = await proving;
  const audit = await openAuditLog(layout.audit, { clock });
  stack.defer(() => audit.close());

  const tools = createToolRegistry(coreTools, coreGroups);
  const initialGroups = config.tools.initial === 'core' ? coreGroups.map(({ name }) => name) : [];
  const processLog = (pid: number, line: string): void => logger.warn({ pid, line }, 'process stderr');
  const outputsOf = (sessionId: string): string => `${layout.outputs}/${sessionId}`;
  const agents = new AgentPool({
    clock,
    max: config.agents.max,
    idleMs: config.agents.idleSeconds * 1_000,
    spawn: () =>
      spawnAgent({
        sandbox,
        nodePath: options.nodePath,
        script: `${options.dist}/agent.mjs`,
        initialTools: create(InitialToolDefsSchema, {
          tools: new LoadedTools(tools, initialGroups).definitions,
          groups: groupList(tools),
        }),
        log: processLog,
      }),
  });
  stack.defer(() => agents.close());
  const warming = agents
    .prewarm()
    .catch((error: unknown) => logger.error({ err: error }, 'no agent could be started'));
  stack.defer(() => warming);
  const workers = new WorkerPool({
    clock,
    idleMs: WORKER_IDLE_MS,
    spawn: (session) =>
      spawnWorker(
        {
          sandbox,
          nodePath: options.nodePath,
          script: `${options.dist}/worker.mjs`,
          ripgrepPath: ripgrepPath(),
          outputsOf,
          log: processLog,
        },
        session,
      ),
  });
  stack.defer(() => workers.close());
  const shell = boxedShell({
    sandbox,
    layout,
    probe: report.boxes.shell,
    environment: options.environment,
  });
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
    tools: { get: (name) => tools.get(name), names: () => coreTools.map(({ name }) => name) },
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
      prepare: (sessionId, workingFolder) => {
        mkdirSync(outputsOf(sessionId), { recursive: true, mode: 0o700 });
        workers.prewarm(sessionId, workingFolder);
      },
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
  const clients = await serveClients(layout, {
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
  });
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
