import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { Box } from './box.ts';
import type { BoxedProgram } from './boxed-program.ts';
import { exactEnvironment } from './exact-environment.ts';
import { renderMacProfile } from './macos-profile.ts';
import type { ProbeReport } from './probe-report.ts';
import type { Sandbox } from './sandbox.ts';

const LAUNCHER = '/usr/bin/sandbox-exec';

/**
 * WRITTEN, NOT TESTED: the sandbox of macOS. Its probe says that no box holds until somebody has attacked them on a
 * Mac, so no engine runs in it. Also missing: limits of any kind, and that a box dies with its engine.
 *
 * @param options.runtimeFiles what `nodePath` reads to start beside the system's libraries
 * @param options.scratch existing private folder, resolved; commands get home and temporary files in it
 */
export function createMacSandbox(options: {
  readonly nodePath: string;
  readonly runtimeFiles: readonly string[];
  readonly scratch: string;
}): Sandbox {
  const home = `${options.scratch}/box-home`;
  return {
    launch(box: Box, program: BoxedProgram) {
      const { text, parameters } = renderMacProfile(box, {
        program: program.file,
        runtimeFiles: program.file === options.nodePath ? options.runtimeFiles : [],
        home,
      });
      const defined = parameters.flatMap(([name, path]) => ['-D', `${name}=${path}`]);
      const isShell = box.kind === 'shell';
      if (isShell) mkdirSync(home, { recursive: true, mode: 0o700 });
      return spawn(LAUNCHER, ['-p', text, ...defined, '--', program.file, ...program.args], {
        cwd: program.cwd,
        env: exactEnvironment({ ...program.env, ...(isShell ? { HOME: home, TMPDIR: home } : {}) }),
        stdio: program.stdio,
        detached: true,
      });
    },
    probe: () => Promise.resolve(nobodyTried),
  };
}

const untested = {
  ok: false,
  walls: [],
  failed: [],
  reason: 'the profile for macOS is written, and nobody has tried whether it holds',
};
const nobodyTried: ProbeReport = {
  ok: false,
  landlockAbi: 0,
  boxes: { agent: untested, worker: untested, shell: untested },
};
