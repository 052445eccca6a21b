import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Duplex } from 'node:stream';
import type { HomeLayout, ToolHost, ToolHostCall } from '@bulkhead/protocol';
import { BulkheadError } from '@bulkhead/protocol';
import { type BoxProbe, type Sandbox, ShellTransaction } from '@bulkhead/sandbox';
import { createShellHost, type ShellCommand, type StartedCommand } from '@bulkhead/tools';
import type { WorkingFolders } from '../session/working-folders.ts';
import type { FolderQueue } from '../transactions/folder-queue.ts';
import type { ScratchLedger } from '../transactions/scratch-ledger.ts';
import { BOX_HOME, shellBox } from './shell-box.ts';

interface ShellParts {
  readonly sandbox: Sandbox;
  readonly layout: HomeLayout;
  readonly folders: Pick<WorkingFolders, 'check'>;
  /** What the shell box's probes found at start: where they failed, no command is started. */
  readonly probe: BoxProbe;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly queue: FolderQueue;
  readonly ledger: ScratchLedger;
}

/** The host of shell commands: each in a box of its own and on an overlay of its folder, or not at all. */
export function boxedShell(parts: ShellParts): ToolHost {
  return createShellHost({
    home: BOX_HOME,
    locale: parts.environment,
    outputs: parts.layout.outputs,
    begin: (command, call, signal) => begin(parts, command, call, signal),
  });
}

async function begin(
  parts: ShellParts,
  command: ShellCommand,
  call: ToolHostCall,
  signal: AbortSignal,
): Promise<StartedCommand> {
  const { probe, folders, queue, ledger } = parts;
  const { sessionId, actionId, workingFolder } = call;
  if (!probe.ok) throw noBox(probe);
  folders.check(sessionId, workingFolder);
  const { dev, ino } = statSync(workingFolder, { bigint: true });
  using stack = new DisposableStack();
  stack.use(await queue.enter({ path: workingFolder, identity: `${dev}:${ino}` }, signal));
  // Whoever had the folder until now may have put another one in its place.
  folders.check(sessionId, workingFolder);
  const scratch = await ledger.begin(actionId, workingFolder);
  const child = parts.sandbox.launch(
    { ...shellBox(workingFolder, parts.layout), overlay: scratch },
    { ...command, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const exited = once(child, 'exit').catch(() => {});
  const channel = child.stdio[3];
  if (!(channel instanceof Duplex))
    throw new BulkheadError('internal', 'a boxed command has no control channel');
  const transaction = new ShellTransaction(channel);
  // From here on the folder is given back by disposing of the command.
  const place = stack.move();
  const finish = async (): Promise<'committed' | 'dropped'> => {
    transaction.close();
    await exited;
    return await ledger.finish(actionId);
  };
  return {
    child,
    transaction,
    recover: finish,
    async [Symbol.asyncDispose]() {
      try {
        await finish();
      } catch {
        // Nothing begins in that folder until it is in order again: the ledger remembers.
      } finally {
        place.dispose();
      }
    },
  };
}

function noBox(probe: BoxProbe): BulkheadError {
  const why = probe.reason ?? (probe.failed.length === 0 ? 'it could not be made' : probe.failed.join(', '));
  return new BulkheadError(
    'sandbox_unavailable',
    `shell commands are off: their box does not hold here (${why})`,
    {
      fix: 'The kernel must allow unprivileged user namespaces; see `bulkhead doctor`.',
    },
  );
}
