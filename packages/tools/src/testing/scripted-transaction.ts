import { type ChildProcess, spawn } from 'node:child_process';
import type { CommandEffects, ObservedChange, SettledAs } from '@bulkhead/protocol';
import type { ShellHostOptions } from '../shell/create-shell-host.ts';

/** A change as the launcher would list it. */
export function change(path: string, fields: Partial<ObservedChange> = {}): ObservedChange {
  return {
    path: Buffer.from(path, 'latin1'),
    what: 'created',
    kind: 'file',
    was: 'missing',
    mode: 0o644,
    wasMode: 0,
    size: 1,
    wasSize: 0,
    links: 1,
    ...fields,
  };
}

export interface TransactionScript {
  /** A shell line run as the "launcher": it lives until it is stopped or killed. */
  readonly line?: string;
  readonly effects?: Partial<CommandEffects>;
  /** Its answer to a commit; an error represents a launcher that died. */
  readonly answer?: SettledAs | Error;
  readonly recovered?: 'committed' | 'dropped' | Error;
  /** The launcher dies before the command has ended. */
  readonly dies?: boolean;
}

/** A real process with a scripted transaction, and the answers it received. */
export function scriptedTransaction(script: TransactionScript) {
  const told: string[] = [];
  const children: ChildProcess[] = [];
  const begin: ShellHostOptions['begin'] = async ({ file, cwd }) => {
    // The launcher continues after the command's output has ended.
    const after = script.dies === true ? 'exit 1' : 'exec sleep 60';
    const line = `( ${script.line ?? 'echo out'} ) & command=$!; trap 'kill -9 $command' USR1; exec >&- 2>&-; wait $command; ${after}`;
    const child = spawn(file, ['-c', line], { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    children.push(child);
    const closed = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const died = closed.then(() => Promise.reject(new Error('the launcher died')));
    died.catch(() => {});
    const effects = { status: 0, changes: [], problems: [], notes: [], ...script.effects };
    const output = new Promise<void>((resolve) => child.stdout?.once('end', resolve));
    const ended = Promise.race([output.then(() => (script.dies === true ? died : effects.status)), died]);
    ended.catch(() => {});
    const listed = ended.then(() => effects);
    listed.catch(() => {});
    return {
      child,
      transaction: {
        ended,
        effects: listed,
        stop: () => {
          told.push('stop');
          child.kill('SIGUSR1');
        },
        settle: async (commit) => {
          told.push(commit ? 'commit' : 'drop');
          if (!commit) return { type: 'dropped' };
          if (script.answer instanceof Error) throw script.answer;
          return script.answer ?? { type: 'committed' };
        },
      },
      recover: async () => {
        told.push('recover');
        if (script.recovered instanceof Error) throw script.recovered;
        return script.recovered ?? 'dropped';
      },
      [Symbol.asyncDispose]: async () => {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
        await closed;
        told.push('disposed');
      },
    };
  };
  return { begin, told, children };
}
