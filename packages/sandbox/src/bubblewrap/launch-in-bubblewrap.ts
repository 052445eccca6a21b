import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, lstatSync, openSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';
import type { ShellBox } from '../box.ts';
import type { BoxedProgram } from '../boxed-program.ts';
import { bubblewrapArguments, type HostPath } from './bubblewrap-arguments.ts';

/** Shell boxes made by `bwrap`. */
export interface BubblewrapShell {
  /**
   * As `Sandbox.launch` for a shell box, without an overlay: its changes are direct. It dies with
   * this process, too. A box that can't be made ends the child with bwrap's own line on stderr,
   * before the program has run.
   * @throws BulkheadError `usage`
   */
  launch(box: ShellBox, program: BoxedProgram): ChildProcess;
}

export interface BubblewrapOptions {
  /** Absolute path of `bwrap`. */
  readonly bubblewrapPath: string;
  /** The launcher defines the shown files and the refused calls: one list for both makers. */
  readonly launcherPath: string;
  /** Folder for the filter's file; no one else may write to it. */
  readonly scratch: string;
}

/** Descriptor of a caller's channel, beside the three standard ones. */
const MOST_DESCRIPTORS = 4;

/** @throws BulkheadError `sandbox_unavailable` if the launcher does not answer */
export function bubblewrapShell(options: BubblewrapOptions): BubblewrapShell {
  const ask = (what: string): Buffer => {
    try {
      return execFileSync(options.launcherPath, [what], { env: {}, stdio: ['ignore', 'pipe', 'ignore'] });
    } catch (cause) {
      throw new BulkheadError('sandbox_unavailable', `the launcher does not say its ${what}`, { cause });
    }
  };
  const systemPaths = existing(ask('system-paths').toString('utf8').split('\0').filter(Boolean));
  const filter = ask('shell-filter');
  const filterPath = `${options.scratch}/shell-filter.${process.pid}`;
  return {
    launch(box, program) {
      const stdio = listed(program.stdio);
      writeFileSync(filterPath, filter, { mode: 0o600 });
      const descriptor = openSync(filterPath, 'r');
      rmSync(filterPath);
      try {
        const args = bubblewrapArguments({
          box,
          systemPaths,
          within: existing([...box.protect, ...box.hide, ...(box.deny ?? [])]),
          cwd: program.cwd,
          filterDescriptor: stdio.length,
          command: [program.file, ...program.args],
        });
        return spawn(options.bubblewrapPath, args, {
          cwd: '/',
          env: { NODE_V8_COVERAGE: undefined, ...program.env },
          stdio: [...stdio, descriptor],
        });
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

/** bwrap passes on all inherited descriptors. */
function listed(stdio: BoxedProgram['stdio']) {
  if (Array.isArray(stdio) && stdio.length >= 3 && stdio.length <= MOST_DESCRIPTORS) return stdio;
  throw new BulkheadError(
    'usage',
    'a command in a bwrap box gets its three standard descriptors and at most one channel',
  );
}

function existing(paths: readonly string[]): HostPath[] {
  return paths.flatMap((path): HostPath[] => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return [];
    if (stat.isSymbolicLink()) return [{ path, kind: 'link', target: readlinkSync(path) }];
    return [{ path, kind: stat.isDirectory() ? 'folder' : 'file' }];
  });
}
