import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import {
  type BoxedProgram,
  type BoxProbe,
  bubblewrapShell,
  createOpenSandbox,
  type Sandbox,
  type ShellBox,
} from '@bulkhead/sandbox';
import type { CommandView } from '../transactions/command-view.ts';

/**
 * How shell commands run on this machine.
 * - `overlay`: in a box, on an overlay or a copy of the folder, whose changes are committed or
 *   discarded (`CommandViews`).
 * - `bwrap`: in a box made by `bwrap`, because no other program may make one; changes take effect
 *   immediately.
 * - `none`: without a box, because no program may make one.
 * - `insecure`: without a box, because the user started the engine with --insecure-no-sandbox.
 */
export interface CommandBox {
  readonly kind: 'overlay' | 'bwrap' | 'none' | 'insecure';
  /** With `overlay`: the view for folders on the home's disk; other folders may differ. */
  readonly view?: CommandView;
  /** Starts a command that writes the folder directly. */
  launch(box: ShellBox, program: BoxedProgram): ChildProcess;
  /** Why every command needs approval; absent if the policy decides. */
  readonly asks?: CommandQuestion;
}

/** Why a command needs approval, regardless of the policy. */
export interface CommandQuestion {
  readonly reason: string;
  /**
   * How it runs: `background` and `live` in a box, but writing the folder directly; `unboxed` without a box, so that
   * only a direct approval counts, not an earlier grant; `insecure` without a box because the user
   * started the engine so.
   */
  readonly rule: 'commands/background' | 'commands/live' | 'commands/unboxed' | 'commands/insecure';
}

/** A background command whose writes are not held back. */
export const WRITES_ITSELF: CommandQuestion = {
  reason: 'it goes on, and writes the folder itself',
  rule: 'commands/background',
};

/** Where distributions install it. PATH is not used: its owner could choose the box. */
const BUBBLEWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];
const TRIAL_MS = 5_000;

export async function chooseCommandBox(parts: {
  readonly sandbox: Sandbox;
  readonly probe: BoxProbe;
  readonly view: CommandView;
  readonly launcherPath: string;
  /** Private folder of this engine process. */
  readonly run: string;
  /** Programs to try, absolute; if absent, the usual places of `bwrap`. */
  readonly bubblewraps?: readonly string[];
}): Promise<CommandBox> {
  const { sandbox, probe, view, launcherPath, run, bubblewraps = BUBBLEWRAP } = parts;
  const launch: CommandBox['launch'] = (box, program) => sandbox.launch(box, program);
  if (probe.ok) return { kind: 'overlay', view, launch };
  for (const bubblewrapPath of bubblewraps.filter(isProgram)) {
    const shell = bubblewrapShell({ bubblewrapPath, launcherPath, scratch: run });
    if (!(await holds(shell.launch, `${run}/bwrap-trial`))) continue;
    const asks = { reason: 'what it changes here is changed at once', rule: 'commands/live' } as const;
    return { kind: 'bwrap', launch: shell.launch, asks };
  }
  const open = createOpenSandbox({ scratch: run });
  const reason = 'no box can be made for commands on this machine: it would run with all your rights';
  const asks = { reason, rule: 'commands/unboxed' } as const;
  return { kind: 'none', launch: (box, program) => open.launch(box, program), asks };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A command must run and write its folder, but neither read outside it, nor write the system, nor
 * see this process.
 */
async function holds(launch: CommandBox['launch'], folder: string): Promise<boolean> {
  const work = `${folder}/work`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(work, { recursive: true, mode: 0o700 });
  writeFileSync(`${folder}/secret`, 'canary');
  const attack = [
    'echo made > made',
    `cat ../secret ${folder}/secret && echo read`,
    'echo x > /usr/.bulkhead && echo wrote',
    `kill -0 ${process.pid} && [ -e /proc/${process.pid}/environ ] && echo saw`,
    '[ "$(ls /sys/class/net 2>/dev/null | grep -vc "^lo$")" -gt 0 ] && echo network',
    '[ "$(cat made)" = made ] && echo ran',
  ].join('; ');
  const limits = { maxProcesses: 64, maxFileBytes: 1024 ** 2, maxOpenFiles: 64 };
  try {
    const child = launch(
      {
        kind: 'shell',
        workingFolder: work,
        home: `${folder}/home`,
        readOnly: [],
        protect: [],
        hide: [],
        limits,
      },
      {
        file: '/bin/bash',
        args: ['-c', attack],
        cwd: work,
        env: { PATH: '/usr/bin:/bin' },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const timer = setTimeout(() => child.kill('SIGKILL'), TRIAL_MS);
    const said = child.stdout === null ? '' : await text(child.stdout);
    clearTimeout(timer);
    return said === 'ran\n';
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
