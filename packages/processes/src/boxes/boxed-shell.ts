import { Duplex } from 'node:stream';
import type { Redaction, ToolHost, ToolHostCall, ToolUpdate } from '@bulkhead/protocol';
import { BulkheadError, type ShownFolder, transactionFolder } from '@bulkhead/protocol';
import { type Sandbox, ShellTransaction } from '@bulkhead/sandbox';
import {
  type BackgroundCommands,
  createShellHost,
  type LeftProcesses,
  type ShellCommand,
  type StartedCommand,
} from '@bulkhead/tools';
import type { BoxFolders } from '../kept/box-folders.ts';
import { withContents } from '../losses/with-contents.ts';
import { isWithin } from '../paths/levels.ts';
import type { FairPlaces } from '../pools/fair-places.ts';
import type { ShownSecrets } from '../secrets/shown-secrets.ts';
import { BOX_HOME } from '../transactions/command-view.ts';
import type { CommandViews } from '../transactions/command-views.ts';
import type { FolderQueue } from '../transactions/folder-queue.ts';
import type { ScratchLedger } from '../transactions/scratch-ledger.ts';
import { withBeside, withGitSettings, withRoot } from './command-surroundings.ts';
import { leftProcesses } from './left-processes.ts';
import { type BoxedCommand, beginLive, exitOf, type LiveParts } from './live-command.ts';
import { leadsOut, networkUse } from './open-egress.ts';
import { inNetwork, proxyAt } from './session-networks.ts';
import { shellBox } from './shell-box.ts';
import type { ShownBeside } from './shown-beside.ts';
import { userName } from './user-name.ts';
import { changedRemarks, offerable, openSecrets, withEnd, withSecrets } from './with-secrets.ts';
import { placeOf, withStay } from './with-stay.ts';
import type { WorkingFolders } from './working-folders.ts';

interface ShellParts extends LiveParts {
  readonly sandbox: Sandbox;
  readonly folders: Pick<WorkingFolders, 'check'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly queue: FolderQueue;
  /** For all commands that are not in the background. */
  readonly places: FairPlaces;
  readonly ledger: ScratchLedger;
  /** Where changes can't be held back, an approved command writes the folder directly. */
  readonly views: Pick<CommandViews, 'of'>;
  readonly background: BackgroundCommands;
  readonly boxFolders: Pick<BoxFolders, 'enter'>;
  readonly secrets: Pick<ShownSecrets, 'open' | 'offerable'>;
  readonly outside: Pick<ShownBeside, 'open' | 'lookFor' | 'checkWritten'>;
  /**
   * Prepares the person's harmless git settings for a box of that folder: an absolute folder with a
   * file `config`; undefined without any.
   */
  gitSettings(workingFolder: string): Promise<string | undefined>;
  /** Redacts the stored outputs. */
  readonly redaction: Redaction;
  readonly onOutputError?: (error: unknown) => void;
}

const WAITS =
  '[not begun yet: one command at a time works in a folder, and another one is at work in this folder or one around it, or a question about what it changed is open (`bulkhead approvals list`)]\n';

const WAITS_FOR_OTHERS = '[not begun yet: as many commands run as may run at once (pools.commands)]\n';

/**
 * The host of shell commands: each runs in its own box on an overlay or a copy of its folder, or as
 * this machine allows.
 */
export function boxedShell(parts: ShellParts): ToolHost {
  return createShellHost({
    home: BOX_HOME,
    environment: parts.environment,
    ...userName(),
    outputs: parts.layout.outputs,
    redaction: parts.redaction,
    ...(parts.onOutputError === undefined ? {} : { onOutputError: parts.onOutputError }),
    background: parts.background,
    transactions: parts.box.kind === 'overlay',
    wayOut: parts.box.kind === 'overlay',
    begin: (command, call, signal, update) => begin(parts, command, call, signal, update),
  });
}

/** One at a time in a folder, across all sessions. */
async function begin(
  parts: ShellParts,
  command: ShellCommand,
  call: ToolHostCall,
  signal: AbortSignal,
  update: ToolUpdate,
): Promise<StartedCommand> {
  const { box, folders, queue } = parts;
  const { sessionId, workingFolder } = call;
  if (box.kind === 'bwrap' && command.hosts.length > 0) throw noWayOut();
  folders.check(sessionId, workingFolder);
  const changed = await changedFolder(parts, command, workingFolder);
  const given = withGitSettings(command, await parts.gitSettings(changed));
  const root = box.kind === 'overlay' ? await rootFor(parts, changed) : undefined;
  const canShow = box.kind === 'overlay' && (await parts.views.of(changed)).kind === 'overlay';
  const outside = (list: readonly ShownFolder[]) =>
    list.filter(({ path }) => canShow && (changed === workingFolder || !isWithin(path, changed)));
  const open = async () => {
    const allowed = { toolchains: outside(command.toolchains), folders: outside(command.folders) };
    const opened = await parts.outside.open(allowed, changed, root?.path);
    return { opened, shown: withBeside(withRoot(given, root, opened), opened) };
  };
  const place = placeOf(changed);
  const isHeld = command.background && (await goesOnHeld(parts, command, workingFolder));
  if (command.background && !isHeld) {
    const { shown } = await open();
    using secrets = new DisposableStack();
    const files = secrets.use(await openSecrets(parts, command, call));
    const live = await withStay(parts.boxFolders, withSecrets(shown, files), call, false, (known) =>
      beginLive(parts, known, call),
    );
    return withEnd(live, files.remarks, secrets.move());
  }
  if (queue.isTaken(place)) update(WAITS);
  using stack = new DisposableStack();
  stack.use(await queue.enter(place, signal));
  // After the folder: a command with a place never waits for one without.
  if (parts.places.isFull) update(WAITS_FOR_OTHERS);
  stack.use(await parts.places.enter(signal));
  // The previous command may have replaced the folder.
  folders.check(sessionId, workingFolder);
  await changedFolder(parts, command, workingFolder);
  await parts.ledger.mend(changed);
  // The folders may be others after a long wait, or hold more.
  const { opened, shown: besides } = await open();
  const files = stack.use(await openSecrets(parts, command, call));
  const shown = withSecrets(besides, files);
  // A server that a command asks answers with what was changed before.
  await parts.background.show();
  const view = box.kind === 'overlay' ? (await parts.views.of(changed)).kind : 'live';
  const started = await withStay(parts.boxFolders, shown, call, view === 'copy', (known) =>
    view === 'live'
      ? beginLive(parts, known, call)
      : beginTransaction(parts, known, call, { changed, copy: view === 'copy' }),
  );
  // From here on, disposing of the command releases the folder.
  const turn = stack.move();
  return {
    ...withEnd(
      started,
      [...opened.remarks, ...files.remarks, ...changedRemarks(changed, workingFolder)],
      turn,
    ),
    // Elsewhere the names of opened files would be those below another folder.
    ...(box.kind === 'overlay' && changed === workingFolder
      ? { offerFiles: (names) => offerable(parts.secrets, names, workingFolder) }
      : {}),
    ...(canShow
      ? { lookFor: (missing) => parts.outside.lookFor(missing, workingFolder, command, root?.path) }
      : {}),
  };
}

/**
 * The folder whose changes are the command's transaction.
 *
 * @throws BulkheadError `blocked` if it lies around the working folder, and may not be changed any more: what the
 *   command changes is judged as changes of that folder
 */
async function changedFolder(
  { box, outside }: ShellParts,
  { folders }: ShellCommand,
  workingFolder: string,
): Promise<string> {
  const changed = transactionFolder({ workingFolder, folders });
  const allowed = folders.find(({ path }) => path === changed);
  if (allowed === undefined) return workingFolder;
  if (box.kind !== 'overlay')
    throw new BulkheadError('blocked', `${changed} can't be changed: commands here have no overlay`, {
      fix: 'Revoke its grant: `bulkhead grants list`.',
    });
  await outside.checkWritten(allowed, workingFolder);
  return changed;
}

/**
 * True if what a background command writes is held back until its end. Else it writes the folder
 * directly, which a person has allowed.
 */
async function goesOnHeld(
  { box, views }: ShellParts,
  { hosts, live }: ShellCommand,
  workingFolder: string,
): Promise<boolean> {
  if (box.kind !== 'overlay' || live || hosts.length > 0) return false;
  return (await views.of(workingFolder)).kind === 'overlay';
}

/** Only an overlay shows a folder that others change so that what is hidden in it stays hidden. */
async function rootFor({ views, roots }: ShellParts, workingFolder: string) {
  const { kind } = await views.of(workingFolder);
  return kind === 'overlay' ? roots.of(workingFolder) : undefined;
}

async function beginTransaction(
  { sandbox, layout, ledger, networks, openEgress, protectedFiles, queue, roots }: ShellParts,
  command: BoxedCommand,
  { actionId, sessionId, workingFolder }: ToolHostCall,
  { changed, copy }: { readonly changed: string; readonly copy: boolean },
): Promise<StartedCommand> {
  const scratch = await ledger.begin(actionId, changed);
  await using stack = new AsyncDisposableStack();
  // Longer than the way out: what the command leaves stays in its network.
  const inside = stack.use(new DisposableStack());
  // A way out is one command's; and what has a copy open after its command could not be seen.
  const network = leadsOut(command) || copy ? undefined : await networks.enter(sessionId);
  if (network !== undefined) inside.use(network);
  const { background } = command;
  // Processes that it left would go on to change the folder around.
  const mayLeave = network !== undefined && changed === workingFolder;
  // In the background it has none: no result would name what it lacked.
  const egress = background ? undefined : stack.use(await openEgress(command, network?.password));
  const { box, remarks, around } = await shellBox(changed, layout, protectedFiles, command);
  const seen = roots.remarks(sessionId, command.root, around);
  const child = sandbox.launch(
    {
      ...box,
      readOnly: command.shown,
      kept: command.kept,
      overlay: scratch,
      copy,
      ...(egress === undefined ? {} : { egress: egress.socketPath }),
      ...inNetwork(network, egress !== undefined),
      leave: mayLeave,
      background,
    },
    { ...command, env: proxyAt(network, command.env), stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const exited = exitOf(child);
  const channel = child.stdio[3];
  if (!(channel instanceof Duplex)) throw new BulkheadError('internal', 'a command has no control channel');
  const transaction = new ShellTransaction(channel);
  const place = inside.move();
  const wayOut = stack.move();
  // No connection outlives the command, so the commit never waits for one.
  transaction.ended.then(() => wayOut.disposeAsync()).catch(() => {});
  const finish = async (): Promise<'committed' | 'dropped'> => {
    transaction.close();
    await exited;
    place.dispose();
    await wayOut.disposeAsync();
    return await ledger.finish(actionId);
  };
  let detached = false;
  const detach = (): LeftProcesses => {
    detached = true;
    return leftProcesses({ queue, ledger, actionId, workingFolder, scratch, transaction, exited, finish });
  };
  return {
    child,
    transaction: {
      ended: transaction.ended,
      get left() {
        return transaction.left;
      },
      get opened() {
        return transaction.opened;
      },
      get goesOn() {
        return transaction.goesOn;
      },
      effects: transaction.effects.then((effects) =>
        withContents(effects, { work: changed, upper: `${scratch}/upper` }),
      ),
      stop: () => transaction.stop(),
      ...(mayLeave && !command.trial ? { leave: () => transaction.leave() } : {}),
      settle: async (commit) => {
        if (commit && (await transaction.effects).changes.length > 0) await ledger.secure(actionId);
        return await transaction.settle(commit);
      },
    },
    ...(egress === undefined ? {} : { network: () => networkUse(egress) }),
    recover: finish,
    ...(mayLeave ? { detach } : {}),
    remarks: () => Promise.resolve([...remarks, ...seen]),
    async [Symbol.asyncDispose]() {
      if (detached) return;
      // A failure is remembered: no command begins in that folder until it is repaired.
      await finish().catch(() => {});
    },
  };
}

function noWayOut(): BulkheadError {
  return new BulkheadError('sandbox_unavailable', "a command can't be given hosts on this machine", {
    fix: 'Only bwrap may make boxes here, and its have no way out. Fetch with web_fetch or http_request first.',
  });
}
