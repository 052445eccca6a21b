import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir } from 'node:fs/promises';
import { Duplex } from 'node:stream';
import { type CommitMark, readCommitMark } from '../transaction/commit-mark.ts';
import { finished } from './box-fixture.ts';

/**
 * One command on an overlay, by the launcher's own command line and control channel
 * (docs/containment.md).
 */
export interface OverlayRun {
  readonly launcherPath: string;
  readonly work: string;
  /** Created for the run; must not exist. */
  readonly scratch: string;
  /** For bash. */
  readonly command: string;
  readonly verdict: 'commit' | 'drop' | 'none';
  /** Runs after the command has written `ready`; then it gets a line on its standard input. */
  readonly whileRunning?: () => void;
  /** Runs between the list and the verdict. */
  readonly meanwhile?: () => void | Promise<void>;
  /** Program and arguments that start the launcher: a fault injector, another user. */
  readonly through?: readonly string[];
  readonly options?: readonly string[];
  /** Number of the user and group who own the scratch folder. */
  readonly owner?: number;
}

export interface OverlayEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Records in order of arrival, without their NUL. */
  readonly records: readonly string[];
  /** The last record if it is an answer to the verdict. */
  readonly answer: string | undefined;
  /** The state in the scratch folder. */
  readonly mark: CommitMark;
}

const WAIT_MS = 120_000;

/**
 * A file system for a command, and the launcher's options for it: the same cases must have the same
 * results on each.
 */
export const VIEWS: readonly (readonly [string, readonly string[]])[] = [
  ['an overlay', []],
  ['a copy', ['--copy']],
];

export async function runOnOverlay(run: OverlayRun): Promise<OverlayEnd> {
  await mkdir(run.scratch, { mode: 0o700 });
  // The user who starts the launcher must own it.
  if (run.owner !== undefined) await chown(run.scratch, run.owner, run.owner);
  const box = ['--fds', '4', '--work', run.work, '--home', '/home/nobody-has', '--cwd', run.work];
  const own = [run.launcherPath, 'run', 'shell', ...box, '--overlay', run.scratch, ...(run.options ?? [])];
  const all = [...(run.through ?? []), ...own, '--', '/bin/bash', '-c', run.command];
  const child = spawn(all[0] ?? '', all.slice(1), {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    timeout: WAIT_MS,
    killSignal: 'SIGKILL',
  });
  const end = finished(child);
  child.stdin?.on('error', () => {});
  child.stdout?.on('data', (text: string) => {
    if (run.whileRunning === undefined || !text.includes('ready')) return;
    run.whileRunning();
    child.stdin?.end('go on\n');
  });
  const control = child.stdio[3];
  if (!(control instanceof Duplex)) throw new Error('no control channel');
  control.on('error', () => {});
  let said = Buffer.alloc(0);
  let answered = false;
  control.on('data', (bytes: Buffer) => {
    said = Buffer.concat([said, bytes]);
    if (answered || !/(^|\0)effects \d+\0/.test(said.toString('latin1'))) return;
    answered = true;
    void answer(control, run);
  });
  await Promise.all([end, once(control, 'close')]);
  const records = said.toString('utf8').split('\0').slice(0, -1);
  const last = records.at(-1);
  return {
    ...(await end),
    records,
    answer: last !== undefined && /^(committed|dropped|conflict|failed|stuck)/.test(last) ? last : undefined,
    mark: readCommitMark(run.scratch),
  };
}

async function answer(control: Duplex, { meanwhile, verdict }: OverlayRun): Promise<void> {
  await meanwhile?.();
  if (verdict === 'none') control.end();
  else control.write(`${verdict}\n`);
}

/** Finishes an interrupted commit. @returns its answer and its exit status */
export async function recoverOverlay(
  launcherPath: string,
  work: string,
  scratch: string,
  through: readonly string[] = [],
): Promise<{ readonly code: number | null; readonly said: string }> {
  const all = [...through, launcherPath, 'recover', work, scratch];
  const child = spawn(all[0] ?? '', all.slice(1), {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: WAIT_MS,
  });
  const { code, stdout } = await finished(child);
  return { code, said: stdout.replace(/\0$/, '') };
}
