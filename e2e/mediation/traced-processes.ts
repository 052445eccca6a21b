import { succeeded, type TracedCall, unquoted } from './traced-calls.ts';
import { descriptorsOf, withoutTexts } from './traced-effects.ts';

/** Role of a process, by the program it or an ancestor was started as. */
type Role =
  /** The command, the supervisor and the engine. */
  | 'own'
  | 'agent'
  | 'worker'
  /** A command's box, its launcher included. */
  | 'command'
  /** The same of a command in the background: it outlives its action, and its launcher works for another one then. */
  | 'held'
  /** The box of a command that writes the folder itself; it may outlive its action. */
  | 'live'
  /** A box that only shows whether the machine can make it. */
  | 'trial'
  /** The launcher's and Node's attacks on boxes, with their controls. */
  | 'probe'
  | 'unknown';

export interface TracedProcess {
  readonly role: Role;
  /** Of a command: the id of its action. */
  readonly action: string;
  /** Line on which what it is was started. */
  readonly started: number;
  /** It is in a mount name space of its own. */
  readonly boxed: boolean;
  /** It has started a program since it was boxed: until then the launcher makes the box's own file system. */
  readonly built: boolean;
  /** Targets of its descriptors, shared by its threads. */
  readonly descriptors: Map<string, string>;
}

const UNKNOWN: TracedProcess = {
  role: 'unknown',
  action: '',
  started: 0,
  boxed: false,
  built: false,
  descriptors: new Map(),
};

/** Which process is what, followed through a trace call by call. */
export class TracedProcesses {
  readonly #known = new Map<number, TracedProcess>();

  /** @param first the thread that was traced from the beginning */
  constructor(first: number) {
    this.#known.set(first, { ...UNKNOWN, role: 'own', descriptors: new Map() });
  }

  of(pid: number): TracedProcess {
    return this.#known.get(pid) ?? UNKNOWN;
  }

  /** A call has begun: a child may be seen before the call that makes it has returned. */
  begun(call: TracedCall): void {
    if (!/^(clone3?|v?fork)$/.test(call.name) || !succeeded(call)) return;
    const parent = this.of(call.pid);
    const isThread = /\bCLONE_THREAD\b/.test(call.args);
    const isBoxed = /\bCLONE_NEWNS\b/.test(call.args);
    this.#known.set(childOf(call), {
      ...parent,
      boxed: parent.boxed || isBoxed,
      built: parent.built && !isBoxed,
      descriptors: isThread ? parent.descriptors : new Map(parent.descriptors),
    });
  }

  /** It has ended: what it tells of descriptors, and of the program that was started. */
  ended(call: TracedCall): void {
    const process = this.of(call.pid);
    for (const [fd, path] of descriptorsOf(withoutTexts(`${call.args} ${call.result}`)))
      process.descriptors.set(fd, path);
    if (!succeeded(call)) return;
    if (call.name === 'unshare' && /\bCLONE_NEWNS\b/.test(call.args))
      this.#known.set(call.pid, { ...process, boxed: true, built: false });
    if (!call.name.startsWith('execve')) return;
    const role = process.boxed ? {} : roleOf(wordsOf(call));
    const begins = role.role === undefined ? {} : { ...role, started: call.begun };
    this.#known.set(call.pid, { ...process, ...begins, built: process.boxed });
  }
}

/** `8`, or `8 /* 19044 in strace's PID NS *\/` in a name space of its own. */
function childOf({ result }: TracedCall): number {
  const [, inner = '', outer] = /^(\d+)(?: \/\* (\d+) )?/.exec(result) ?? [];
  return Number(outer ?? inner);
}

function wordsOf({ args }: TracedCall): readonly string[] {
  const list = args.slice(args.indexOf('['));
  return [...list.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) => unquoted(word));
}

/** Returns the role of a program that was started in no box. */
function roleOf(words: readonly string[]): Partial<TracedProcess> {
  if (words.includes('--probe-control')) return { role: 'probe' };
  if (!words[0]?.endsWith('/bulkhead-launcher')) return {};
  const [, verb, kind] = words;
  if (verb !== 'run') return { role: 'probe' };
  if (kind === 'agent' || kind === 'worker') return { role: kind };
  if (!words.includes('--overlay')) return { role: 'live' };
  const scratch = words[words.indexOf('--overlay') + 1] ?? '';
  const [, action] = /\/scratch\/([0-9A-Z]{26})\/box$/.exec(scratch) ?? [];
  if (action === undefined) return { role: 'trial' };
  return { role: words.includes('--background') ? 'held' : 'command', action };
}
