import { type StdioOptions, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { BulkheadError } from '@bulkhead/protocol';
import type { Box } from './box.ts';
import type { BoxedProgram } from './boxed-program.ts';
import { exactEnvironment } from './exact-environment.ts';
import { keepSession } from './keep-session.ts';
import { launcherArguments } from './launcher-arguments.ts';
import { probeBoxes } from './probe-boxes.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import { measureFolders, removeFolders } from './tend-folders.ts';
import { recoverTransaction } from './transaction/recover-transaction.ts';

/** Priority of boxed Node processes, lower than the engine's. A process can't raise it. */
const BOXED_NICENESS = 5;

/** The sandbox of this machine. Keeps nothing between calls. */
export function createSandbox(options: SandboxOptions): Sandbox {
  return {
    launch(box: Box, program: BoxedProgram) {
      const stdio = [...named(program), ...sessionOf(box)];
      const args = launcherArguments({
        mode: 'run',
        box,
        parent: process.pid,
        descriptors: stdio.length,
        cwd: program.cwd,
        nameSpaces: box.kind !== 'shell' && options.nameSpaces[box.kind],
        runtimeFiles: program.file === options.nodePath ? options.runtimeFiles : [],
        command: [program.file, ...program.args],
      });
      const child = spawn(options.launcherPath, args, {
        cwd: box.kind === 'shell' ? '/' : program.cwd,
        env: exactEnvironment(program.env),
        stdio,
      });
      if (box.kind !== 'shell') giveWay(child.pid);
      return child;
    },
    keepSession: () => keepSession(options.launcherPath),
    probe: () => probeBoxes(options),
    recover: (folders) => recoverTransaction(options.launcherPath, folders),
    measure: (folders) => measureFolders(options.launcherPath, folders),
    remove: (folders) => removeFolders(options.launcherPath, folders),
  };
}

/**
 * The process that answers clients has priority: many processes that start together must not block
 * the engine [FG10].
 */
function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, BOXED_NICENESS);
  } catch {
    // It has ended, or the system forbids this: it runs without the lower priority.
  }
}

/** The launcher finds them behind the program's own. */
function sessionOf(box: Box): readonly number[] {
  if (box.kind !== 'shell' || box.session === undefined) return [];
  return [box.session.users, box.session.network];
}

type Stdio = Extract<StdioOptions, readonly unknown[]>;

function named({ stdio }: BoxedProgram): Stdio {
  const named = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
  if (named.some((entry) => entry === 'ipc')) {
    throw new BulkheadError('usage', 'A boxed program gets no ipc channel: it would add to its environment');
  }
  return named;
}
