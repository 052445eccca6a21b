import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';
import type { Box } from './box.ts';
import type { BoxedProgram } from './boxed-program.ts';
import { exactEnvironment } from './exact-environment.ts';
import type { ProbeReport } from './probe-report.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * DANGER: no sandbox. Everything is launched with all rights of this user, network included; of a box only the exact
 * environment, the descriptors and a session of its own are left. For `--insecure-no-sandbox` and nothing else.
 *
 * What a program leaves behind in another session outlives it, and a shell command outlives a killed engine.
 *
 * @param options.scratch existing private folder; commands get their home in it, empty at first and kept between them
 */
export function createOpenSandbox(options: { readonly scratch: string }): Sandbox {
  const home = `${options.scratch}/open-home`;
  return {
    launch(box: Box, program: BoxedProgram) {
      return spawn(program.file, program.args, {
        cwd: program.cwd,
        env: exactEnvironment(box.kind === 'shell' ? withHome(program.env, box.home, home) : program.env),
        stdio: program.stdio,
        // Who ends it ends its group.
        detached: true,
      });
    },
    probe: () => Promise.resolve(nothingHolds),
    recover: ({ work }) => Promise.reject(noRecovery(work)),
  };
}

/** No launcher can finish a change that another engine left half done. */
function noRecovery(work: string): BulkheadError {
  return new BulkheadError('tool_failed', `${work} was left half changed, and nothing here can undo that`, {
    fix: 'Start Bulkhead with its sandbox once: it brings the folder in order',
    details: { work },
  });
}

/** The box's own home exists in no file system. */
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
