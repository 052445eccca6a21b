import { Descriptor } from '@bulkhead/files';
import type { ToolHostCall } from '@bulkhead/protocol';
import type { LeftProcesses, StartedCommand } from '@bulkhead/tools';
import type { BoxFolders } from '../kept/box-folders.ts';
import type { BoxedCommand } from './live-command.ts';

const APART =
  'it worked on a copy of the folder: its home and /tmp were empty and ended with it, so nothing in them is kept';

/**
 * Gives a command the private folders of its workspace until its last process has ended, also one
 * that it leaves running. A dry run gets empty ones, which end with it.
 *
 * @param isApart a command on a copy of its folder gets empty ones, too: through a shared one, what
 *   runs beside it could write the copy while that is judged
 */
export async function withStay(
  boxFolders: Pick<BoxFolders, 'enter'>,
  command: Omit<BoxedCommand, 'kept'>,
  call: ToolHostCall,
  isApart: boolean,
  start: (command: BoxedCommand) => Promise<StartedCommand>,
): Promise<StartedCommand> {
  if (command.trial) return await start({ ...command, kept: {} });
  using stack = new DisposableStack();
  const { sessionId, actionId } = call;
  const use = { sessionId, actionId, isApart };
  const stay = stack.use(await boxFolders.enter(placeOf(call.workingFolder), use));
  const started = await start({ ...command, kept: stay.kept });
  const rest = stack.move();
  const { detach } = started;
  let isDetached = false;
  const endWith = (last: AsyncDisposable): AsyncDisposable => ({
    async [Symbol.asyncDispose]() {
      try {
        await last[Symbol.asyncDispose]();
      } finally {
        rest.dispose();
      }
    },
  });
  const own = endWith(started);
  const take = (detachIt: () => LeftProcesses) => (): LeftProcesses => {
    isDetached = true;
    const left = detachIt();
    return { ...left, ...endWith(left) };
  };
  return {
    ...started,
    ...(detach === undefined ? {} : { detach: take(detach) }),
    remarks: async () => [
      ...((await started.remarks?.()) ?? []),
      ...(isApart ? [APART] : []),
      ...stay.remarks(),
    ],
    [Symbol.asyncDispose]: () => (isDetached ? started : own)[Symbol.asyncDispose](),
  };
}

/** A working folder: its path, and its lasting identity. */
export function placeOf(path: string) {
  using folder = Descriptor.ofTrustedFolder(path);
  return { path, identity: folder.lastingId() };
}
