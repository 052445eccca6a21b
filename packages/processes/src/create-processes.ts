import { create } from '@bufbuild/protobuf';
import type { Config, ModelRole } from '@bulkhead/home/config/config-schema';
import type { Context } from '@bulkhead/log/context';
import { groupList, initialGroupsOf, LoadedTools } from '@bulkhead/log/session/tool-loading';
import type { KeySources } from '@bulkhead/models';
import type { HomeLayout } from '@bulkhead/protocol';
import { InitialToolDefsSchema } from '@bulkhead/protocol/agent';
import type { Sandbox } from '@bulkhead/sandbox';
import { createProcessHost, type ToolRegistry } from '@bulkhead/tools';
import { boxLimits } from './boxes/box-limits.ts';
import { boxedShell } from './boxes/boxed-shell.ts';
import type { CommandBox } from './boxes/command-box.ts';
import { commandQuestions } from './boxes/command-questions.ts';
import { egressIn } from './boxes/open-egress.ts';
import { Placeholders } from './boxes/placeholders.ts';
import { ProtectedFiles } from './boxes/protected-files.ts';
import { ripgrepPath } from './boxes/ripgrep-path.ts';
import { SessionNetworks } from './boxes/session-networks.ts';
import { ShownBeside } from './boxes/shown-beside.ts';
import { ShownRoots } from './boxes/shown-roots.ts';
import { spawnWorker } from './boxes/spawn-worker.ts';
import { ThoroughFirst } from './boxes/thorough-first.ts';
import { toolchainOffers } from './boxes/toolchain-offers.ts';
import { WorkingFolders } from './boxes/working-folders.ts';
import type { Commands } from './commands.ts';
import { openWeb, type Web } from './egress/open-web.ts';
import { boxGitSettings } from './git/box-git-settings.ts';
import { BoxFolders } from './kept/box-folders.ts';
import { ModelSource } from './models/model-source.ts';
import { AgentPool } from './pools/agent-pool.ts';
import { commandPlaces } from './pools/command-places.ts';
import { StartGate } from './pools/start-gate.ts';
import { WorkerPool } from './pools/worker-pool.ts';
import { ShownSecrets } from './secrets/shown-secrets.ts';
import type { SelfProbe } from './spawn/self-probe.ts';
import { spawnAgent } from './spawn/spawn-agent.ts';
import { CommandViews } from './transactions/command-views.ts';
import { FolderQueue } from './transactions/folder-queue.ts';
import { openBackground } from './transactions/open-background.ts';
import { ScratchLedger } from './transactions/scratch-ledger.ts';

/** Processes that may be starting at the same time. */
const STARTS_AT_ONCE = 4;

/** Boxes that were attacked on this machine before any work runs in them. */
export interface Walls {
  readonly sandbox: Sandbox;
  readonly commandBox: CommandBox;
  /**
   * The attempts that each process makes before it receives anything; `unboxed` if the user
   * disabled the sandbox.
   */
  selfProbe(kind: 'agent' | 'worker', thorough: boolean): SelfProbe | 'unboxed';
}

export interface ProcessesConfig {
  readonly layout: HomeLayout;
  readonly settings: Pick<Config, 'agents' | 'box' | 'models' | 'pools' | 'timeouts' | 'tools'>;
  readonly walls: Walls;
  readonly tools: ToolRegistry;
  /** Folder of the bundles. */
  readonly dist: string;
  readonly nodePath: string;
  /** With `learn` for files with credentials: their values are hidden from then on; false without room. */
  readonly keys: KeySources & { learn(values: readonly string[]): boolean };
  /** A local model, for when none is configured; the search is under way. */
  readonly local: Promise<ModelRole | undefined>;
}

/** All processes outside the engine, and the decision where each runs. */
export interface Processes {
  readonly agents: AgentPool;
  readonly workers: WorkerPool;
  readonly commands: Commands;
  readonly web: Web;
  readonly models: ModelSource;
  readonly folders: WorkingFolders;
  /** Folder of the outputs of a session's commands. */
  outputsOf(sessionId: string): string;
  /** Rejects if no agent could be started, or the first one found a hole in its box. */
  readonly warmed: Promise<void>;
}

/**
 * Makes the pools of boxed processes, starts one agent ahead of the first message, and joins model clients.
 *
 * @param stack ends all of them
 */
export async function createProcesses(
  context: Context,
  config: ProcessesConfig,
  stack: AsyncDisposableStack,
): Promise<Processes> {
  const { layout, settings, walls } = config;
  const { timers, log } = context;
  const { store } = log;
  const outputsOf = (sessionId: string): string => `${layout.outputs}/${sessionId}`;
  const isOffTheRecord = (id: string): boolean => store.getSession(id)?.offTheRecord === true;
  // Their stderr may quote their input: only its size is logged.
  const logStderr = (pid: number, line: string): void => {
    const { sessionId = '' } = [...agents.list(), ...workers.list()].find((one) => one.pid === pid) ?? {};
    const said = isOffTheRecord(sessionId) ? { bytes: Buffer.byteLength(line) } : { line };
    context.logger.warn({ pid, ...said }, 'process stderr');
  };
  const parts = { gate: new StartGate(STARTS_AT_ONCE), log: logStderr };
  const agents = openAgents(context, config, parts);
  stack.defer(() => agents.close());
  const warmed = agents.prewarm();
  // Its caller gets the error; here it only has to be settled before the pool closes.
  stack.defer(() => warmed.catch(() => undefined));
  const folders = new WorkingFolders(store);
  const protectedFiles = new ProtectedFiles({
    layout,
    userHome: config.keys.environment['HOME'],
    clock: context.clock,
  });
  const workers = openWorkers(context, config, { ...parts, folders, protectedFiles, outputsOf });
  stack.defer(() => workers.close());
  const web = openWeb({
    sandbox: walls.sandbox,
    nodePath: config.nodePath,
    script: `${config.dist}/renderer.mjs`,
    timers,
    log: logStderr,
    settings: settings.tools.web,
  });
  const networks = stack.use(new SessionNetworks(walls.sandbox, timers));
  const rooms = { folders, protectedFiles, web, networks, isOffTheRecord };
  const commands = openCommands(context, config, rooms, stack);
  stack.defer(() => commands.background.close());
  const { firstTokenSeconds, idleSeconds, answerSeconds } = settings.timeouts;
  const models = new ModelSource({
    models: settings.models,
    local: await config.local,
    keys: config.keys,
    limits: {
      firstTokenMs: firstTokenSeconds * 1_000,
      idleMs: idleSeconds * 1_000,
      totalMs: answerSeconds * 1_000,
    },
  });
  return { agents, workers, commands, web, models, folders, outputsOf, warmed };
}

interface Starts {
  readonly gate: StartGate;
  log(pid: number, line: string): void;
}

function openAgents(
  { clock, timers, logger }: Context,
  { settings, walls, tools, nodePath, dist }: ProcessesConfig,
  { gate, log }: Starts,
): AgentPool {
  const initialTools = create(InitialToolDefsSchema, {
    tools: new LoadedTools(tools, initialGroupsOf(settings.tools.initial)).definitions,
    groups: groupList(tools),
  });
  const limits = boxLimits(settings).agent;
  const parts = { sandbox: walls.sandbox, nodePath, script: `${dist}/agent.mjs`, limits, initialTools, log };
  // The engine waits for the first one.
  const attempts = new ThoroughFirst();
  return new AgentPool({
    clock,
    timers,
    max: settings.agents.max,
    idleMs: settings.agents.idleSeconds * 1_000,
    spawn: () =>
      attempts.run((thorough) =>
        gate.run(async () => {
          const begun = clock.monotonic();
          const agent = await spawnAgent({ ...parts, selfProbe: walls.selfProbe('agent', thorough) });
          logger.info({ pid: agent.pid, ms: clock.monotonic() - begun }, 'agent ready');
          return agent;
        }),
      ),
  });
}

function openWorkers(
  { clock, timers }: Context,
  { layout, settings, walls, nodePath, dist }: ProcessesConfig,
  places: Starts & {
    readonly folders: WorkingFolders;
    readonly protectedFiles: ProtectedFiles;
    outputsOf(sessionId: string): string;
  },
): WorkerPool {
  const { gate, log, folders, protectedFiles, outputsOf } = places;
  const parts = {
    sandbox: walls.sandbox,
    nodePath,
    script: `${dist}/worker.mjs`,
    limits: boxLimits(settings).worker,
    ripgrepPath: ripgrepPath(),
    home: layout.root,
    protectedFiles,
    outputsOf,
    log,
  };
  const attempts = new ThoroughFirst();
  return new WorkerPool({
    clock,
    timers,
    max: settings.pools.workers,
    spawn: async (session) => {
      folders.check(session.sessionId, session.workingFolder);
      return await attempts.run((thorough) =>
        gate.run(() => spawnWorker({ ...parts, selfProbe: walls.selfProbe('worker', thorough) }, session)),
      );
    },
  });
}

function openCommands(
  { clock, timers, redaction, log, logger, storage }: Context,
  { layout, settings, walls, keys }: ProcessesConfig,
  places: {
    readonly folders: WorkingFolders;
    readonly protectedFiles: ProtectedFiles;
    readonly web: Web;
    isOffTheRecord(sessionId: string): boolean;
    readonly networks: SessionNetworks;
  },
  stack: AsyncDisposableStack,
): Commands {
  const { folders, protectedFiles, web, networks, isOffTheRecord } = places;
  const { sandbox, commandBox } = walls;
  const onError = (err: unknown) => logger.warn({ err }, 'a private home could not be tended');
  const kept = { folder: layout.boxes, sandbox, ...settings.box, clock, timers, isOffTheRecord, onError };
  const boxFolders = stack.use(new BoxFolders(kept));
  void boxFolders.sweep((sessionId) => log.store.getSession(sessionId) !== undefined);
  const scratch = new ScratchLedger(layout.scratch, sandbox);
  const views = new CommandViews(layout.scratch, sandbox);
  const queue = new FolderQueue();
  const background = openBackground({ log, logger, redaction, storage }, layout, scratch, isOffTheRecord);
  const placeholders = new Placeholders(`${layout.state}/placeholders`);
  placeholders.recover();
  const roots = new ShownRoots(layout.root, keys.environment['HOME']);
  const beside = {
    own: layout.root,
    environment: keys.environment,
    files: protectedFiles,
    problemOf: async (folder: string) => {
      const { kind } = await views.of(folder);
      return kind === 'overlay' ? undefined : 'changes there can not be held back on an overlay';
    },
  };
  const shell = boxedShell({
    roots,
    secrets: ShownSecrets.begin({ run: layout.run, learn: keys.learn }),
    outside: new ShownBeside(beside),
    onOutputError: (error) => void storage.report(error, layout.outputs),
    placeholders,
    timers,
    background,
    sandbox,
    layout,
    folders,
    box: commandBox,
    environment: keys.environment,
    openEgress: egressIn(layout.run, web.broker),
    networks,
    protectedFiles,
    queue,
    places: commandPlaces(settings.pools.commands, timers),
    ledger: scratch,
    views,
    boxFolders,
    redaction,
    gitSettings: (folder) => boxGitSettings(keys.environment, layout.gitSettings, folder),
  });
  return {
    shell,
    background,
    processes: createProcessHost(background),
    boxFolders,
    scratch,
    queue,
    everyCommandAsks: commandQuestions(commandBox, views),
    readableAround: (folder) => (commandBox.kind === 'overlay' ? roots.of(folder)?.path : undefined),
    toolchains: async () => (commandBox.kind === 'overlay' ? await toolchainOffers(beside) : []),
    chooseView: async (sessionId, folder) => {
      folders.check(sessionId, folder);
      return commandBox.kind === 'overlay' ? await views.of(folder) : undefined;
    },
  };
}
