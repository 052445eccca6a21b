import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Duplex } from 'node:stream';
import type { HomeLayout, Redaction, ToolHost, ToolHostCall } from '@bulkhead/protocol';
import { BulkheadError } from '@bulkhead/protocol';
import { type Sandbox, type ShellBox, ShellTransaction } from '@bulkhead/sandbox';
import {
  type BackgroundCommands,
  createShellHost,
  type ShellCommand,
  type StartedCommand,
} from '@bulkhead/tools';
import type { WorkingFolders } from '../session/working-folders.ts';
import type { FolderQueue } from '../transactions/folder-queue.ts';
import type { ScratchLedger } from '../transactions/scratch-ledger.ts';
import type { CommandBox } from './command-box.ts';
import type { OpenEgress } from './open-egress.ts';
import { BOX_HOME, backgroundShellBox, liveShellBox, shellBox } from './shell-box.ts';

interface ShellParts {
  readonly sandbox: Sandbox;
  readonly layout: HomeLayout;
  readonly folders: Pick<WorkingFolders, 'check'>;
  /** How commands run on this machine. */
  readonly box: CommandBox;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens the way out of one command that names hosts. */
  readonly openEgress: OpenEgress;
  readonly queue: FolderQueue;
  readonly ledger: ScratchLedger;
  readonly background: BackgroundCommands;
  /** Of the outputs that are kept. */
  readonly redaction: Redaction;
}

/**
 * The host of shell commands: each in a box of its own and on an overlay of its folder, or as this machine lets it.
 */
export function boxedShell(parts: ShellParts): ToolHost {
  return createShellHost({
    home: BOX_HOME,
    locale: parts.environment,
    outputs: parts.layout.outputs,
    redaction: parts.redaction,
    background: parts.background,
    transactions: parts.box.kind === 'overlay',
    begin: (command, call, signal) => begin(parts, command, call, signal),
  });
}

/** One at a time in a folder, whoever sends it. */
async function begin(
  parts: ShellParts,
  command: ShellCommand,
  call: ToolHostCall,
  signal: AbortSignal,
): Promise<StartedCommand> {
  const { box, folders, queue } = parts;
  const { sessionId, workingFolder } = call;
  if (box.kind === 'bwrap' && command.hosts.length > 0) throw noWayOut();
  folders.check(sessionId, workingFolder);
  // It would hold the folder for ever. Commands beside it see conflicts where both write.
  if (command.background) return await beginBackground(parts, command, call);
  const { dev, ino } = statSync(workingFolder, { bigint: true });
  using stack = new DisposableStack();
  stack.use(await queue.enter({ path: workingFolder, identity: `${dev}:${ino}` }, signal));
  // Whoever had the folder until now may have put another one in its place.
  folders.check(sessionId, workingFolder);
  const started =
    box.kind === 'overlay'
      ? await beginTransaction(parts, command, call)
      : beginLive(parts, command, workingFolder);
  // From here on the folder is given back by disposing of the command.
  const place = stack.move();
  return {
    ...started,
    async [Symbol.asyncDispose]() {
      try {
        await started[Symbol.asyncDispose]();
      } finally {
        place.dispose();
      }
    },
  };
}

async function beginTransaction(
  { sandbox, layout, ledger, openEgress }: ShellParts,
  command: ShellCommand,
  { actionId, workingFolder }: ToolHostCall,
): Promise<StartedCommand> {
  const scratch = await ledger.begin(actionId, workingFolder);
  await using stack = new AsyncDisposableStack();
  const egress =
    command.hosts.length === 0 ? undefined : stack.use(await openEgress(actionId, command.hosts));
  const child = sandbox.launch(
    {
      ...shellBox(workingFolder, layout),
      overlay: scratch,
      ...(egress === undefined ? {} : { egress: egress.socketPath }),
    },
    { ...command, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const exited = exitOf(child);
  const channel = child.stdio[3];
  if (!(channel instanceof Duplex)) throw new BulkheadError('internal', 'a command has no control channel');
  const transaction = new ShellTransaction(channel);
  const wayOut = stack.move();
  // No connection outlives the command: nothing of it may wait for the commit.
  transaction.ended.then(() => wayOut.disposeAsync()).catch(() => {});
  const finish = async (): Promise<'committed' | 'dropped'> => {
    transaction.close();
    await exited;
    await wayOut.disposeAsync();
    return await ledger.finish(actionId);
  };
  return {
    child,
    transaction,
    recover: finish,
    async [Symbol.asyncDispose]() {
      // What fails here is remembered: nothing begins in that folder until it is in order again.
      await finish().catch(() => {});
    },
  };
}

async function beginBackground(
  parts: ShellParts,
  command: ShellCommand,
  { actionId, workingFolder }: ToolHostCall,
): Promise<StartedCommand> {
  const { layout, openEgress } = parts;
  const box = backgroundShellBox(workingFolder, layout);
  if (command.hosts.length === 0) return startLive(parts, command, box);
  await using stack = new AsyncDisposableStack();
  const egress = stack.use(await openEgress(actionId, command.hosts));
  const started = startLive(parts, command, { ...box, egress: egress.socketPath });
  const wayOut = stack.move();
  return {
    ...started,
    async [Symbol.asyncDispose]() {
      await started[Symbol.asyncDispose]();
      await wayOut.disposeAsync();
    },
  };
}

function beginLive(parts: ShellParts, command: ShellCommand, folder: string): StartedCommand {
  return startLive(parts, command, liveShellBox(folder, parts.layout));
}

function startLive({ box }: ShellParts, command: ShellCommand, shell: ShellBox): StartedCommand {
  const child = box.launch(shell, {
    ...command,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = exitOf(child);
  return {
    child,
    recover: () =>
      Promise.reject(new BulkheadError('internal', 'a command that writes itself has no outcome')),
    [Symbol.asyncDispose]: () => exited,
  };
}

/** Also for a process that could not be started: then there is no exit to wait for. */
async function exitOf(child: ChildProcess): Promise<void> {
  await once(child, 'exit').catch(() => {});
}

function noWayOut(): BulkheadError {
  return new BulkheadError('sandbox_unavailable', "a command can't be given hosts on this machine", {
    fix: 'Only bwrap may make boxes here, and its have no way out. Fetch with web_fetch or http_request first.',
  });
}
