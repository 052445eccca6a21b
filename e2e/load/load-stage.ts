import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandLineOf, descendantsOf } from '../support/process-table.ts';
import { OFFLINE_TITLES, Stage } from '../support/stage.ts';

function startProgram(file: string, args: readonly string[] = []): ChildProcess {
  const execArgv = ['--experimental-transform-types', '--no-warnings'];
  return fork(fileURLToPath(new URL(file, import.meta.url)), [...args], { execArgv });
}

/** Times of many calls, milliseconds. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export function timesOf(all: readonly number[]): Times {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}

export async function timed(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}

/**
 * The greatest use of memory of all processes of an engine while they were watched, MB of a million
 * bytes.
 */
export interface Memory {
  readonly megabytes: number;
  readonly engineMegabytes: number;
  readonly workers: number;
  readonly agents: number;
}

/** Looks at the processes below a supervisor until it is asked for the most it saw. */
export class MemoryWatch {
  readonly #supervisor: number;
  readonly #engine: number;
  readonly #timer: NodeJS.Timeout;
  #most: Memory = { megabytes: 0, engineMegabytes: 0, workers: 0, agents: 0 };

  constructor(pids: { readonly supervisor: number; readonly engine: number }, everyMs = 500) {
    this.#supervisor = pids.supervisor;
    this.#engine = pids.engine;
    this.#timer = setInterval(() => this.#look(), everyMs);
    this.#look();
  }

  end(): Memory {
    clearInterval(this.#timer);
    this.#look();
    return this.#most;
  }

  #look(): void {
    const pids = [this.#supervisor, ...descendantsOf(this.#supervisor).map(({ pid }) => pid)];
    const programs = pids.map(programOf);
    const number = (name: string): number => programs.filter((one) => one?.endsWith(`/${name}.mjs`)).length;
    const most = this.#most;
    this.#most = {
      megabytes: Math.max(most.megabytes, Math.round(megabytesOf(pids))),
      engineMegabytes: Math.max(most.engineMegabytes, Math.round(megabytesOf([this.#engine]))),
      workers: Math.max(most.workers, number('worker')),
      agents: Math.max(most.agents, number('agent')),
    };
  }
}

/** The bundle a process runs; a launcher that waits for one runs none. */
function programOf(pid: number): string | undefined {
  const [file, ...words] = commandLineOf(pid);
  return file?.endsWith('/node') ? words.find((word) => /\/(agent|worker)\.mjs$/.test(word)) : undefined;
}

/** Proportional set size: private memory and a share of what is shared with others. */
export function megabytesOf(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => Number(/^Pss:\s+(\d+) kB$/m.exec(rollup(pid))?.[1] ?? 0));
  return (kilobytes.reduce((sum, one) => sum + one, 0) * 1_024) / 1_000_000;
}

function rollup(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  } catch {
    // Ended between listing and reading.
    return '';
  }
}

/** A stage whose model is a process of its own, with an engine that runs. */
export class LoadStage implements AsyncDisposable {
  readonly stage: Stage;
  readonly pids: { readonly supervisor: number; readonly engine: number };
  readonly #model: ChildProcess;

  private constructor(stage: Stage, model: ChildProcess, pids: LoadStage['pids']) {
    this.stage = stage;
    this.#model = model;
    this.pids = pids;
  }

  /** @param config more of `config.yaml` */
  static async start(config = ''): Promise<LoadStage> {
    const model = startProgram('./model.child.ts');
    const stage = new Stage();
    try {
      const [{ url }] = await once(model, 'message');
      const chat = `{ provider: openai-compatible, model: hi, baseUrl: '${url}' }`;
      stage.configure(`models: { ${OFFLINE_TITLES} chat: ${chat} }\n${config}`);
      stage.write('note.txt', 'A line to read.\n');
      await stage.cli(['start', '--daemon']);
      const { supervisor, engine } = await stage.status();
      return new LoadStage(stage, model, { supervisor, engine });
    } catch (error) {
      model.disconnect();
      await stage[Symbol.asyncDispose]();
      throw error;
    }
  }

  watchMemory(): MemoryWatch {
    return new MemoryWatch(this.pids);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#model.connected) this.#model.disconnect();
    await this.stage[Symbol.asyncDispose]();
  }
}

/** An independent client, a process of its own: says how long the engine took to answer it meanwhile. */
export class Bystander {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(home: string): Promise<Bystander> {
    const child = startProgram('./bystander.child.ts', [home]);
    await once(child, 'message');
    return new Bystander(child);
  }

  async end(): Promise<Times> {
    this.#child.send('end');
    const [times] = await once(this.#child, 'message');
    return timesOf(times);
  }
}
