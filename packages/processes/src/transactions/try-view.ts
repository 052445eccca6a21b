import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Sandbox, type ShellBox, ShellTransaction } from '@bulkhead/sandbox';
import { BOX_HOME } from './command-view.ts';

/** Writes to the view and removes the result. Trials are always discarded. */
const TRIAL = 'mkdir .bulkhead-trial.$$ && rmdir .bulkhead-trial.$$';
/** A copy may take 3 s, and its removal as long; a slower view is unusable for a command. */
const TRIAL_MS = 20_000;
const LIMITS: ShellBox['limits'] = { maxProcesses: 64, maxFileBytes: 1024 ** 2, maxOpenFiles: 64 };

/**
 * Runs and discards a whole empty transaction: settings and versions don't show reliably what a
 * kernel and a file system can do together.
 *
 * @param folders.scratch empty, for this trial only
 * @returns why a command can't work on such a view of the folder; undefined if it can
 */
export async function tryView(
  sandbox: Pick<Sandbox, 'launch'>,
  kind: 'overlay' | 'copy',
  folders: { readonly work: string; readonly scratch: string },
): Promise<string | undefined> {
  const box: ShellBox = {
    kind: 'shell',
    workingFolder: folders.work,
    home: BOX_HOME,
    readOnly: [],
    protect: [],
    hide: [],
    limits: LIMITS,
    overlay: folders.scratch,
    copy: kind === 'copy',
  };
  const child = sandbox.launch(box, {
    file: '/bin/bash',
    args: ['--noprofile', '--norc', '-c', TRIAL],
    cwd: folders.work,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), TRIAL_MS);
  const exited = once(child, 'exit').catch(() => {});
  const said = child.stderr === null ? Promise.resolve('') : text(child.stderr).catch(() => '');
  const channel = child.stdio[3];
  if (!(channel instanceof Duplex)) return 'it has no control channel';
  const transaction = new ShellTransaction(channel);
  try {
    const status = await transaction.ended;
    await transaction.effects;
    const { type } = await transaction.settle(false);
    if (status === 0 && type === 'dropped') return undefined;
    return reasonOf(await said, `the trial ended with ${status}, ${type}`);
  } catch {
    return reasonOf(await said, 'the trial ended before its time');
  } finally {
    clearTimeout(timer);
    transaction.close();
    await exited;
  }
}

function reasonOf(said: string, otherwise: string): string {
  const line = said.trim().split('\n').at(-1) ?? '';
  return line === '' ? otherwise : line.replace(/^bulkhead-launcher: /, '');
}
