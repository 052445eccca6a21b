import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statfsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { BulkheadError, type HomeLayout, type Timers, type ToolHostCall } from '@bulkhead/protocol';
import type { KeptFolders, ShellBox } from '@bulkhead/sandbox';
import type { ShellCommand, StartedCommand } from '@bulkhead/tools';
import type { CommandBox } from './command-box.ts';
import type { Beside } from './guarded-beside.ts';
import { guardedPlaces, shownPlace } from './guarded-places.ts';
import { leadsOut, networkUse, type OpenEgress } from './open-egress.ts';
import type { Placeholders } from './placeholders.ts';
import type { RepositoryRoot } from './repository-root.ts';
import { inNetwork, proxyAt, type SessionNetworks } from './session-networks.ts';
import { backgroundShellBox, liveShellBox, type PreparedBox, type ProtectedNames } from './shell-box.ts';
import type { ShownRoots } from './shown-roots.ts';

/** Places that one remark lists. */
const NAMED = 10;
/**
 * Descriptor on which a started command reports that its box is made: the first after the standard
 * ones.
 */
const MARK_DESCRIPTOR = 3;
/** Reports it, closes the descriptor, and becomes the command. */
const MARK = `printf . >&${MARK_DESCRIPTOR}; exec ${MARK_DESCRIPTOR}>&-; exec "$0" "$@"`;

/** A command, with the folders outside the working folder that its box shows. */
export interface BoxedCommand extends ShellCommand {
  /** Absolute, read-only. */
  readonly shown: readonly string[];
  /** The root of its repository, where the folder lies below it and the box can show it. */
  readonly root?: RepositoryRoot;
  /** Folders of programs that its box shows, none in another. */
  readonly beside: readonly Beside[];
  /** Files with credentials that its box shows. */
  readonly filled?: NonNullable<ShellBox['filled']>;
  /** Its private home and temporary folders; empty ones, which end with it, where none is named. */
  readonly kept: KeptFolders;
}

export interface LiveParts {
  readonly layout: HomeLayout;
  readonly box: CommandBox;
  readonly placeholders: Placeholders;
  readonly timers: Timers;
  readonly openEgress: OpenEgress;
  readonly networks: Pick<SessionNetworks, 'enter'>;
  readonly protectedFiles: ProtectedNames;
  readonly roots: Pick<ShownRoots, 'of' | 'remarks'>;
}

/**
 * Starts an approved command that writes the working folder directly, so that its changes are not
 * checked. Places that its box can't protect are compared with their earlier state, and changes are
 * reported.
 */
export async function beginLive(
  parts: LiveParts,
  command: BoxedCommand,
  { sessionId, workingFolder }: ToolHostCall,
): Promise<StartedCommand> {
  const { layout, box, openEgress } = parts;
  const isBoxed = box.kind === 'overlay' || box.kind === 'bwrap';
  const prepare = command.background ? backgroundShellBox : liveShellBox;
  const prepared = await prepare(workingFolder, layout, parts.protectedFiles, command);
  await using stack = new AsyncDisposableStack();
  // Other makers of boxes can't join one. It costs unix sockets, which others need no less than it.
  const network =
    box.kind === 'overlay' && command.background && !leadsOut(command)
      ? stack.use(await parts.networks.enter(sessionId))
      : undefined;
  const egress = box.kind === 'overlay' ? stack.use(await openEgress(command, network?.password)) : undefined;
  const { paths: made } = isBoxed ? stack.use(parts.placeholders.take(workingFolder)) : { paths: [] };
  const shell = {
    ...prepared.box,
    readOnly: command.shown,
    kept: command.kept,
    protect: [...prepared.box.protect, ...made],
    ...(egress === undefined ? {} : { egress: egress.socketPath }),
    ...inNetwork(network),
  };
  const child = box.launch(
    shell,
    isBoxed
      ? { ...marked(command), env: proxyAt(network, command.env) }
      : { ...command, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exited = exitOf(child);
  const remarks = isBoxed ? [...prepared.remarks] : [];
  if (isBoxed) remarks.push(...parts.roots.remarks(sessionId, command.root, prepared.around));
  const { minFreeBytes } = shell.limits;
  if (minFreeBytes !== undefined) {
    const full = (): void => {
      remarks.push(`it was stopped: its disk had less than ${minFreeBytes / 1024 ** 2} MiB left`);
      child.kill('SIGKILL');
    };
    stack.use(watchFreeSpace({ folder: workingFolder, minFreeBytes, timers: parts.timers }, full));
  }
  const rest = stack.move();
  return {
    child,
    ...(isBoxed ? { boxMade: hasMark(child) } : {}),
    ...(egress === undefined ? {} : { network: () => networkUse(egress) }),
    remarks: async () => [...remarks, ...(await appeared(workingFolder, prepared, made))],
    recover: () =>
      Promise.reject(new BulkheadError('internal', 'a command that writes itself has no outcome')),
    async [Symbol.asyncDispose]() {
      await exited;
      await rest.disposeAsync();
    },
  };
}

function marked(command: ShellCommand) {
  return {
    ...command,
    file: '/bin/bash',
    args: ['--noprofile', '--norc', '-c', MARK, command.file, ...command.args],
    stdio: ['ignore' as const, 'pipe' as const, 'pipe' as const, 'pipe' as const],
  };
}

/** False if it ended before its box was made: its output then is not from the command. */
async function hasMark(child: ChildProcess): Promise<boolean> {
  const channel = child.stdio[MARK_DESCRIPTOR];
  if (!(channel instanceof Readable)) return false;
  try {
    for await (const _ of channel) return true;
    return false;
  } catch {
    return false;
  }
}

/**
 * Files that programs run or obey later and that are new. They are reported even though the user
 * may have made them meanwhile.
 */
async function appeared(
  folder: string,
  { obeyed }: PreparedBox,
  made: readonly string[],
): Promise<readonly string[]> {
  const known = new Set([
    ...obeyed.map((names) => names.join('/')),
    ...made.map((path) => path.slice(folder.length + 1)),
  ]);
  let now: Awaited<ReturnType<typeof guardedPlaces>>;
  try {
    now = await guardedPlaces(folder);
  } catch (error) {
    if (!(error instanceof BulkheadError)) throw error;
    return [`WARNING: not looked through for what other programs run or obey later: ${error.message}`];
  }
  const fresh = now.obeyed.filter((names) => !known.has(names.join('/')));
  if (fresh.length === 0) return [];
  const more = fresh.length > NAMED ? ` and ${fresh.length - NAMED} more` : '';
  const places = fresh.slice(0, NAMED).map(shownPlace).join(', ');
  return [
    `WARNING: since it began this appeared, which other programs run or obey later: ${places}${more}. Look at it first`,
  ];
}

/** Also for a process that failed to start and has no exit. */
export async function exitOf(child: ChildProcess): Promise<void> {
  await once(child, 'exit').catch(() => {});
}

/** A disk that writes 1 GB/s fills 250 MB meanwhile: less than the reserve of a box. */
const EVERY_MS = 250;

/**
 * Calls `full` once if the file system of a folder has less room than a box must leave.
 *
 * @param minFreeBytes to leave, for users without special rights
 * @returns dispose when all writing has ended
 */
export function watchFreeSpace(
  parts: { readonly folder: string; readonly minFreeBytes: number; readonly timers: Timers },
  full: () => void,
): Disposable {
  let timer = parts.timers.after(0, look);
  function look(): void {
    if (hasRoom(parts.folder, parts.minFreeBytes)) timer = parts.timers.after(EVERY_MS, look);
    else full();
  }
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

/** A folder that can't be checked is gone, and receives no more data. */
function hasRoom(folder: string, minFreeBytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder, { bigint: true });
    return bavail * bsize >= BigInt(minFreeBytes);
  } catch {
    return true;
  }
}
