import type { OpenedActions } from '@bulkhead/actions/open-actions';
import type { Context } from '@bulkhead/log/context';
import type { OpenedLog } from '@bulkhead/log/open-log';
import type { Processes } from '@bulkhead/processes/create-processes';
import type { Runtime } from '@bulkhead/runtime/create-runtime';

/**
 * Continues the work of an earlier engine before any client can connect: the start is audited,
 * folders and labels are repaired, then open messages are resumed.
 *
 * @param config.details of this start, for the audit log
 * @param config.canWrite false for copies of a home that can't be written: no waiting message may
 *   begin
 */
export async function takeUp(
  { audit, logger }: Context,
  config: {
    readonly log: Pick<OpenedLog, 'logs'>;
    readonly processes: Pick<Processes, 'commands'>;
    readonly actions: Pick<OpenedActions, 'recover'>;
    readonly runtime: Pick<Runtime, 'sessions'>;
    readonly canWrite: boolean;
    readonly details: Readonly<Record<string, string | number>>;
  },
): Promise<void> {
  const { processes, actions, runtime, canWrite, details } = config;
  const { logs } = config.log;
  if (canWrite) {
    await audit.append([{ step: 'ENGINE_START', action: '', hash: '', session: '', tool: '', details }]);
    // Before any run resumes: the data on disk was compared, and is flushed.
    await logs.agree();
  }
  // Before anything runs in any folder: undoes changes that a crash left unfinished.
  for (const error of await processes.commands.scratch.recover(logs.open)) {
    logger.error({ err: error }, 'a folder is not in order; no command runs there');
  }
  await actions.recover(canWrite);
  // Open messages of the log are queued first.
  if (canWrite) runtime.sessions.recover();
}
