import { realpathSync, rmSync } from 'node:fs';
import { BulkheadError, type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { acquireInstanceLock } from '@bulkhead/sessions/instance-lock';
import { checkHome, recordHome } from './folder/home-trace.ts';
import { prepareHome } from './folder/prepare-home.ts';
import { openReadingOnlyHome } from './folder/reading-only-home.ts';
import { findRuntimeFolders } from './folder/runtime-folder.ts';
import { diskReason } from './storage/disk-reason.ts';
import { writeProbe } from './storage/write-probe.ts';

/** A home that this process has locked. */
export interface OpenedHome {
  /** The folders that the engine uses. */
  readonly layout: HomeLayout;
  /** Set if the home can't be written: `layout` then has copies, and this is the home itself. */
  readonly readingOnly?: { readonly home: HomeLayout; readonly error: unknown };
  /** Policies that a power cut had emptied before the home was complete. */
  readonly refilled: readonly string[];
  /** Another home was used under this path before, on this disk, and was removed. */
  readonly isReplaced: boolean;
  /**
   * Why the home could not be recorded outside: if its disk is missing later, a start would make a
   * new home.
   */
  readonly untraced?: unknown;
}

/**
 * Prepares a home and locks it. An existing one whose disk can't be written now is opened for
 * reading.
 *
 * @throws BulkheadError with the problem and its remedy
 */
export async function openHome(
  options: {
    /** `BULKHEAD_HOME`, absolute. */
    readonly home: string;
    /** The supervisor already ran an engine on this home: a missing home is not created again. */
    readonly restarted: boolean;
    readonly isolated: boolean;
    readonly environment: Readonly<Record<string, string | undefined>>;
  },
  stack: AsyncDisposableStack,
): Promise<OpenedHome> {
  const { home: root, restarted, isolated, environment } = options;
  const given = homeLayout(root);
  const isReplaced = checkHome(given, environment) === 'replaced';
  try {
    const refilled = prepareHome(given, { mustExist: restarted });
    const layout = homeLayout(realpathSync(root));
    const lock = stack.use(acquireInstanceLock(layout.lock, layout.root));
    try {
      await writeProbe(layout.state);
    } catch (error) {
      lock[Symbol.dispose]();
      throw error;
    }
    removeRuntimeFolders(layout.root);
    // A private engine's home is often temporary.
    const untraced = isolated ? undefined : errorOf(() => recordHome(given, environment));
    return { layout, refilled, isReplaced, ...(untraced === undefined ? {} : { untraced }) };
  } catch (error) {
    const reason = diskReason(error);
    if (reason === undefined || reason === 'it is missing' || isLocked(error)) throw error;
    const home = homeLayout(realpathSync(root));
    const { layout } = stack.use(openReadingOnlyHome(home));
    return { layout, readingOnly: { home, error }, refilled: [], isReplaced };
  }
}

function errorOf(attempt: () => void): unknown {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Clients look there first: the folder of a killed reading engine must not misdirect them. */
function removeRuntimeFolders(root: string): void {
  for (const folder of findRuntimeFolders(root)) {
    try {
      using _lock = acquireInstanceLock(`${folder}/engine.lock`, root);
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      // An engine that still reads ends when it tries to open the home for writing. Other remains
      // don't prevent a start: without a socket no client goes there.
      if (!isLocked(error)) rmSync(`${folder}/engine.sock`, { recursive: true, force: true });
    }
  }
}

function isLocked(error: unknown): boolean {
  return BulkheadError.is(error) && error.code === 'already_running';
}
