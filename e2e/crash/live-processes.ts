import {
  commandLineOf,
  descendantsOf,
  everyProcess,
  isAlive,
  type ProcessEntry,
  processEntry,
  processesOfHome,
} from '../support/process-table.ts';
import type { Victim } from './crash-plan.ts';

const POLL_MS = 150;

/** A word of the command line that identifies a kind of process below the engine. */
const MARKS: Readonly<Record<Exclude<Victim, 'engine' | 'supervisor'>, RegExp>> = {
  agent: /agent\.mjs/,
  worker: /worker\.mjs/,
  box: /ledger\.txt/,
};

/** Every process that a home's supervisors have had below them, so that none is left unseen. */
export class LiveProcesses implements Disposable {
  readonly #home: string;
  readonly #known = new Map<string, ProcessEntry>();
  readonly #poll: NodeJS.Timeout;

  constructor(home: string) {
    this.#home = home;
    this.#poll = setInterval(() => this.look(), POLL_MS);
  }

  look(): void {
    const all = everyProcess();
    for (const entry of processesOfHome(this.#home, all)) {
      this.#add(entry);
      for (const below of descendantsOf(entry.pid, all)) this.#add(below);
    }
  }

  /** Kills all processes of one kind that are there now. @returns how many */
  kill(victim: Victim): number {
    const victims = this.#find(victim);
    for (const { pid } of victims) signal(pid);
    return victims.length;
  }

  /** How many processes of one kind there are now. */
  count(victim: Victim): number {
    return this.#find(victim).length;
  }

  supervisors(): readonly ProcessEntry[] {
    return processesOfHome(this.#home).filter(({ pid }) => nameOf(pid) === 'supervisor');
  }

  /** Known processes that live although no living supervisor stands above them. */
  orphans(): readonly string[] {
    this.look();
    const roots = this.supervisors();
    const all = everyProcess();
    const cared = new Set(
      [...roots, ...roots.flatMap(({ pid }) => descendantsOf(pid, all))].map(({ pid }) => pid),
    );
    return [...this.#known.values()]
      .filter((entry) => isAlive(entry) && !cared.has(entry.pid))
      .map(({ pid }) => `${pid} ${commandLineOf(pid).join(' ').slice(0, 160)}`);
  }

  /** Kills whatever is left of all it has seen. */
  end(): void {
    this.look();
    for (const entry of this.#known.values()) if (isAlive(entry)) signal(entry.pid);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#poll);
  }

  #find(victim: Victim): readonly ProcessEntry[] {
    const all = everyProcess();
    const ours = processesOfHome(this.#home, all);
    if (victim === 'supervisor' || victim === 'engine')
      return ours.filter(({ pid }) => nameOf(pid) === victim);
    const engines = ours.filter(({ pid }) => nameOf(pid) === 'engine');
    const below = engines.flatMap(({ pid }) => descendantsOf(pid, all));
    return below.filter(({ pid }) => MARKS[victim].test(commandLineOf(pid).join(' ')));
  }

  #add(entry: ProcessEntry): void {
    this.#known.set(`${entry.pid} ${entry.start}`, entry);
  }
}

function nameOf(pid: number): string {
  // Behind the words for Node itself.
  const program = commandLineOf(pid)
    .slice(1)
    .find((word) => !word.startsWith('-'));
  return /\/(supervisor|engine)\.js$/.exec(program ?? '')?.[1] ?? '';
}

function signal(pid: number): void {
  try {
    if (processEntry(pid) !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}
