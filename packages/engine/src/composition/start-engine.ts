import { realpathSync } from 'node:fs';
import { openAuditLog } from '@bulkhead/audit';
import { homeLayout } from '@bulkhead/protocol';
import { acquireInstanceLock, createSqliteSessionStore } from '@bulkhead/sessions';
import { coreGroups, coreTools, createToolRegistry } from '@bulkhead/tools';
import { prepareHome } from '../home/prepare-home.ts';
import { WorkingFolders } from '../session/working-folders.ts';
import type { EngineOptions } from './engine-options.ts';
import { openDoors } from './open-doors.ts';
import { openPools } from './open-pools.ts';
import { openSandbox } from './open-sandbox.ts';
import { readSettings } from './read-settings.ts';
import { initialGroupsOf, wireSessions } from './wire-sessions.ts';

export interface Engine {
  /** Empty without a port. */
  readonly httpAddress: string;
  /** Lets runs finish for a while, then ends everything that was started. */
  close(graceMs: number): Promise<void>;
}

/**
 * Wires the capabilities into one engine: the composition root. Order matters: the lock before anything is
 * opened, the walls proven before anything runs behind them, the doors last.
 *
 * @throws BulkheadError what is wrong and how to mend it; nothing is left running then
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  prepareHome(homeLayout(options.home));
  const layout = homeLayout(realpathSync(options.home));
  const { clock, environment } = options;
  await using stack = new AsyncDisposableStack();
  stack.use(acquireInstanceLock(layout.lock, layout.root));
  const settings = readSettings(layout);
  const logger = options.openLogger(layout);

  const proving = openSandbox(options.dist, options.nodePath, layout.run);
  // Awaited below; if opening the store fails first, that is the error to report.
  proving.catch(() => {});
  const store = createSqliteSessionStore(layout.database);
  stack.defer(() => store.close());
  const audit = await openAuditLog(layout.audit, { clock });
  stack.defer(() => audit.close());
  const proven = await proving;

  const tools = createToolRegistry(coreTools, coreGroups);
  const initialGroups = initialGroupsOf(settings.config.tools.initial);
  const outputsOf = (sessionId: string): string => `${layout.outputs}/${sessionId}`;
  const folders = new WorkingFolders(store);
  const pools = openPools(
    { options, layout, config: settings.config, proven, tools, folders, initialGroups, outputsOf, logger },
    stack,
  );
  const wired = wireSessions({
    layout,
    settings,
    environment,
    clock,
    store,
    audit,
    tools,
    folders,
    pools,
    outputsOf,
  });
  const details = { pid: process.pid, policy: settings.policy.name };
  await audit.append([{ step: 'ENGINE_START', action: '', hash: '', session: '', tool: '', details }]);
  const doors = await openDoors(
    { options, layout, port: settings.config.server.port, wired, pools, report: proven.report, logger },
    stack,
  );
  wired.sessions.recover();
  logger.info({ pid: process.pid, home: layout.root, ...doors }, 'engine ready');

  const resources = stack.move();
  return {
    httpAddress: doors.httpAddress,
    close: async (graceMs) => {
      logger.info('engine stopping');
      await wired.sessions.drain(graceMs);
      await resources.disposeAsync();
    },
  };
}
