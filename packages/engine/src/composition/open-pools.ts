import { create } from '@bufbuild/protobuf';
import type { Config } from '@bulkhead/home/config/config-schema';
import { groupList, LoadedTools } from '@bulkhead/log/session/tool-loading';
import { boxLimits } from '@bulkhead/processes/boxes/box-limits';
import { boxedShell } from '@bulkhead/processes/boxes/boxed-shell';
import type { CommandQuestion } from '@bulkhead/processes/boxes/command-box';
import { gitIdentity } from '@bulkhead/processes/boxes/git-identity';
import { egressIn } from '@bulkhead/processes/boxes/open-egress';
import { Placeholders } from '@bulkhead/processes/boxes/placeholders';
import { ProtectedFiles } from '@bulkhead/processes/boxes/protected-files';
import { ripgrepPath } from '@bulkhead/processes/boxes/ripgrep-path';
import { spawnWorker } from '@bulkhead/processes/boxes/spawn-worker';
import { ThoroughFirst } from '@bulkhead/processes/boxes/thorough-first';
import type { WorkingFolders } from '@bulkhead/processes/boxes/working-folders';
import { openWeb, type Web } from '@bulkhead/processes/egress/open-web';
import { AgentPool } from '@bulkhead/processes/pools/agent-pool';
import { FairPlaces } from '@bulkhead/processes/pools/fair-places';
import { StartGate } from '@bulkhead/processes/pools/start-gate';
import { WorkerPool } from '@bulkhead/processes/pools/worker-pool';
import { spawnAgent } from '@bulkhead/processes/spawn/spawn-agent';
import { CommandViews } from '@bulkhead/processes/transactions/command-views';
import { FolderQueue } from '@bulkhead/processes/transactions/folder-queue';
import { ScratchLedger } from '@bulkhead/processes/transactions/scratch-ledger';
import {
  BulkheadError,
  type HomeLayout,
  type Redaction,
  systemTimers,
  type ToolHost,
} from '@bulkhead/protocol';
import { InitialToolDefsSchema } from '@bulkhead/protocol/agent';
import { BackgroundCommands, createProcessHost, type ToolRegistry } from '@bulkhead/tools';
import type { Logger } from 'pino';
import type { ProvenSandbox } from '../ground/open-sandbox.ts';
import type { ProvenBoxes } from '../ground/prove-boxes.ts';
import type { EngineOptions } from './engine-options.ts';

/** Processes that may be starting at the same time. */
const STARTS_AT_ONCE = 4;

/** After this long without a call a worker ends. */
const WORKER_IDLE_MS = 60_000;

/** Everything that runs in a box. */
export interface Pools {
  readonly agents: AgentPool;
  readonly workers: WorkerPool;
  readonly shell: ToolHost;
  /** Commands that go on after their call, and the host of the tools that list and stop them. */
  readonly background: BackgroundCommands;
  readonly processes: ToolHost;
  /** Why every command of a folder needs a person's yes; undefined where what it changes is held back. */
  everyCommandAsks(workingFolder: string): CommandQuestion | undefined;
  /** To be awaited before that is asked: finds out what commands of the folder work on. */
  chooseView(sessionId: string, workingFolder: string): Promise<unknown>;
  /** What commands changed, and what became of it. */
  readonly ledger: ScratchLedger;
  /** Who may work in which folder. */
  readonly queue: FolderQueue;
  readonly web: Web;
  /** Rejects if no agent could be started, or the first one found a hole in its box. */
  readonly warmed: Promise<void>;
}

/** Makes the pools of boxed processes and starts one agent ahead of the first message. */
export function openPools(
  parts: {
    readonly options: EngineOptions;
    readonly layout: HomeLayout;
    readonly config: Config;
    readonly proven: ProvenSandbox;
    readonly selfProbe: ProvenBoxes['selfProbe'];
    readonly tools: ToolRegistry;
    readonly folders: WorkingFolders;
    readonly initialGroups: readonly string[];
    readonly outputsOf: (sessionId: string) => string;
    readonly redaction: Redaction;
    readonly isOffTheRecord: (sessionId: string) => boolean;
    /** A command that went on after its call has ended. */
    /** Hears why the whole output of a command could not be kept. */
    readonly onOutputError: (error: unknown) => void;
    readonly onBackgroundEnd: (actionId: string) => Promise<void>;
    readonly logger: Logger;
  },
  stack: AsyncDisposableStack,
): Pools {
  const { options, layout, config, proven, selfProbe, tools, folders, logger } = parts;
  const { clock, nodePath, dist, environment } = options;
  const { sandbox, commandBox } = proven;
  const limits = boxLimits(config);
  // What a process says of itself may quote what it was given: off the record, only how much it said is kept.
  const log = (pid: number, line: string): void => {
    const { sessionId = '' } = [...agents.list(), ...workers.list()].find((one) => one.pid === pid) ?? {};
    const said = parts.isOffTheRecord(sessionId) ? { bytes: Buffer.byteLength(line) } : { line };
    logger.warn({ pid, ...said }, 'process stderr');
  };
  const initialTools = create(InitialToolDefsSchema, {
    tools: new LoadedTools(tools, parts.initialGroups).definitions,
    groups: groupList(tools),
  });
  const agentParts = {
    sandbox,
    nodePath,
    script: `${dist}/agent.mjs`,
    limits: limits.agent,
    initialTools,
    log,
  };
  const gate = new StartGate(STARTS_AT_ONCE);
  // The engine waits for the first one.
  const agentAttempts = new ThoroughFirst();
  const agents = new AgentPool({
    clock,
    max: config.agents.max,
    idleMs: config.agents.idleSeconds * 1_000,
    spawn: () =>
      agentAttempts.run((thorough) =>
        gate.run(async () => {
          const begun = clock.monotonic();
          const agent = await spawnAgent({ ...agentParts, selfProbe: selfProbe('agent', thorough) });
          logger.info({ pid: agent.pid, ms: clock.monotonic() - begun }, 'agent ready');
          return agent;
        }),
      ),
  });
  stack.defer(() => agents.close());
  const warmed = agents.prewarm();
  // Told to who awaits it; here it only has to be over before the pool is closed.
  stack.defer(() => warmed.catch(() => undefined));
  const protectedFiles = new ProtectedFiles({ layout, userHome: environment['HOME'], clock });
  const workerParts = {
    sandbox,
    nodePath,
    script: `${dist}/worker.mjs`,
    limits: limits.worker,
    ripgrepPath: ripgrepPath(),
    home: layout.root,
    protectedFiles,
    outputsOf: parts.outputsOf,
    log,
  };
  const workerAttempts = new ThoroughFirst();
  const workers = new WorkerPool({
    clock,
    timers: systemTimers,
    idleMs: WORKER_IDLE_MS,
    max: config.pools.workers,
    spawn: async (session) => {
      folders.check(session.sessionId, session.workingFolder);
      return await workerAttempts.run((thorough) =>
        gate.run(() => spawnWorker({ ...workerParts, selfProbe: selfProbe('worker', thorough) }, session)),
      );
    },
  });
  stack.defer(() => workers.close());
  const web = openWeb({
    sandbox,
    nodePath,
    script: `${dist}/renderer.mjs`,
    timers: systemTimers,
    log,
    settings: config.tools.web,
  });
  const ledger = new ScratchLedger(layout.scratch, sandbox);
  const views = new CommandViews(layout.scratch, sandbox);
  const notHeldBack = (folder: string): CommandQuestion | undefined => {
    const problem = commandBox.kind === 'overlay' ? views.problem(folder) : undefined;
    return problem === undefined
      ? undefined
      : { reason: `what it changes is changed at once: ${problem}`, rule: 'commands/live' };
  };
  const queue = new FolderQueue();
  const openEgress = egressIn(layout.run, web.broker);
  const background = new BackgroundCommands(({ id, sessionId, remarks }) => {
    if (remarks.length > 0) logger.warn({ id, sessionId, remarks }, 'a background command ended');
    parts.onBackgroundEnd(id).catch((err: unknown) => {
      logger.error({ id, err }, 'what a background command wrote could not be labelled');
    });
  });
  stack.defer(() => background.close());
  const placeholders = new Placeholders(`${layout.state}/placeholders`);
  placeholders.recover();
  const shell = boxedShell({
    onOutputError: parts.onOutputError,
    placeholders,
    timers: systemTimers,
    background,
    sandbox,
    layout,
    folders,
    box: commandBox,
    environment,
    openEgress,
    protectedFiles,
    queue,
    places: commandPlaces(config.pools.commands),
    ledger,
    views,
    redaction: parts.redaction,
    gitIdentity: (folder) => gitIdentity(environment['HOME'], folder),
  });
  return {
    agents,
    warmed,
    workers,
    shell,
    background,
    processes: createProcessHost(background),
    chooseView: async (sessionId, folder) => {
      // Whoever had the folder until now may have put another one in its place: nothing is tried there.
      folders.check(sessionId, folder);
      return commandBox.kind === 'overlay' ? await views.of(folder) : undefined;
    },
    everyCommandAsks: (folder) => commandBox.asks ?? notHeldBack(folder),
    ledger,
    queue,
    web,
  };
}

/** A command may take as long as its own limit says: whoever comes after waits for that. */
const COMMAND_WAIT_MS = 900_000;

function commandPlaces(places: number): FairPlaces {
  return new FairPlaces({
    places,
    timers: systemTimers,
    waitMs: COMMAND_WAIT_MS,
    full: (seconds) =>
      new BulkheadError('overloaded', `no command ended for ${seconds} s, and ${places} may run at once`, {
        retryable: true,
        fix: 'Wait for them, stop some with `bulkhead processes`, or raise pools.commands in config.yaml.',
      }),
  });
}
