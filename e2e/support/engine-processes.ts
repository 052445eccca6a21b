import { connectEngine } from '@bulkhead/client';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import {
  commandLineOf,
  descendantsOf,
  everyProcess,
  isAlive,
  type ProcessEntry,
  processEntry,
  processesOfHome,
} from './process-table.ts';
import { until } from './until.ts';

/** The processes of one home's engine: known by number and start, so that none outlives its test unseen. */
export class EngineProcesses {
  readonly #layout: HomeLayout;
  readonly #known = new Map<string, ProcessEntry>();

  constructor(layout: HomeLayout) {
    this.#layout = layout;
  }

  remember(pids: readonly number[]): void {
    for (const pid of pids) this.#add(processEntry(pid));
  }

  /** @throws Error naming what had to be killed */
  async end(): Promise<void> {
    this.#collect();
    await this.#askToStop();
    this.#collect();
    try {
      await until('the engine and its processes have ended', () => this.#left().length === 0);
    } catch (cause) {
      const left = this.#left();
      const names = left.map(({ pid }) => `${pid} ${commandLineOf(pid).join(' ').slice(0, 160)}`);
      for (const { pid } of left) process.kill(pid, 'SIGKILL');
      throw new Error(`had to be killed after the test:\n${names.join('\n')}`, { cause });
    }
  }

  async #askToStop(): Promise<void> {
    try {
      using client = await connectEngine(this.#layout);
      await client.call('stop', { restart: false });
    } catch (error) {
      if (!BulkheadError.is(error)) throw error;
      // No engine answers: each process of the home receives a signal.
      for (const { pid } of processesOfHome(this.#layout.root)) tell(pid);
    }
  }

  #collect(): void {
    const all = everyProcess();
    for (const entry of processesOfHome(this.#layout.root, all)) {
      this.#add(entry);
      for (const below of descendantsOf(entry.pid, all)) this.#add(below);
    }
  }

  #add(entry: ProcessEntry | undefined): void {
    if (entry !== undefined) this.#known.set(`${entry.pid} ${entry.start}`, entry);
  }

  #left(): readonly ProcessEntry[] {
    return [...this.#known.values()].filter(isAlive);
  }
}

function tell(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // Gone meanwhile.
  }
}
