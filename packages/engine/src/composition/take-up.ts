import type { OpenedActions } from '@bulkhead/actions/open-actions';
import type { Context } from '@bulkhead/log/context';
import type { OpenedLog } from '@bulkhead/log/open-log';
import type { Processes } from '@bulkhead/processes/create-processes';
import type { Runtime } from '@bulkhead/runtime/create-runtime';

/**
 * Goes on with what an earlier engine left, before anybody can send anything: the start is audited, folders and labels are
 * put in order, then open messages are taken up.
 *
 * @param config.details of this start, for the audit log
 * @param config.canWrite false for copies of a home that can't be written: nothing that waits may begin
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
    // Before any run is taken up: what is on the disk now was compared, and is flushed.
    await logs.agree();
  }
  // Before anything runs in any folder: what a crash left half changed is undone.
  for (const error of await processes.commands.scratch.recover(logs.open)) {
    logger.error({ err: error }, 'a folder is not in order; no command runs there');
  }
  await actions.recover(canWrite);
  // What is open in the log must be in line first.
  if (canWrite) runtime.sessions.recover();
}
