import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { BulkheadError } from '@bulkhead/protocol';
import type { Box } from './box.ts';
import type { BoxedProgram } from './boxed-program.ts';
import { exactEnvironment } from './exact-environment.ts';
import type { ProbeReport } from './probe-report.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * DANGER: no sandbox. Everything runs with all rights of this user, network included; it only keeps
 * a box's exact environment, descriptors and separate session. For `--insecure-no-sandbox` only.
 *
 * Processes that a program leaves in another session outlive it, and a shell command outlives a
 * killed engine.
 *
 * @param options.scratch existing private folder; it holds the commands' home, empty at first and
 *   kept between them
 */
export function createOpenSandbox(options: { readonly scratch: string }): Sandbox {
  const home = `${options.scratch}/open-home`;
  return {
    launch(box: Box, program: BoxedProgram) {
      return spawn(program.file, program.args, {
        cwd: program.cwd,
        env: exactEnvironment(
          box.kind === 'shell' ? withHome(program.env, box.home, box.kept?.home?.from ?? home) : program.env,
        ),
        stdio: program.stdio,
        // Ending it must end its group.
        detached: true,
      });
    },
    keepSession: () =>
      Promise.reject(
        new BulkheadError('sandbox_unavailable', 'without boxes, a session has no network of its own'),
      ),
    probe: () => Promise.resolve(nothingHolds),
    recover: ({ work }) => Promise.reject(noRecovery(work)),
    // Its commands may write anywhere: the size of one folder bounds nothing.
    measure: () => Promise.resolve({ bytes: 0, names: 0, latest: 0, isWhole: true }),
    remove: async (folders) => {
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Without a launcher, another engine's unfinished changes can't be recovered. */
function noRecovery(work: string): BulkheadError {
  return new BulkheadError('tool_failed', `${work} was left half changed, and nothing here can undo that`, {
    fix: 'Start Bulkhead with its sandbox once: it brings the folder in order',
    details: { work },
  });
}

/** The box's own home exists only inside the box. */
function withHome(
  env: Readonly<Record<string, string>>,
  boxed: string,
  home: string,
): Readonly<Record<string, string>> {
  if (env['HOME'] !== boxed) return env;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return { ...env, HOME: home };
}

const nothing = { ok: false, walls: [], failed: [], reason: 'there is no box: --insecure-no-sandbox' };
const nothingHolds: ProbeReport = {
  ok: false,
  landlockAbi: 0,
  boxes: { agent: nothing, worker: nothing, shell: nothing },
};
