import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectEngine, type EngineClient } from '@bulkhead/client';
import { type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { cpuMs, processTree } from './process-table.ts';
import { type ProgramOptions, type ProgramRun, runProgram } from './run-program.ts';

const QUIET_MS = 100;
const QUIET_LIMIT_MS = 3_000;

export interface ProductRun {
  /** Default: the configured one. */
  readonly model?: string;
  readonly json?: boolean;
  readonly started?: (pid: number) => void;
}

export interface ProductPlace {
  /** Folder of `bulkhead` and `dist`. */
  readonly root: string;
  /** A new folder for the home and the working folder. */
  readonly place: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends what is being measured; what ends the engine goes on. */
  readonly signal: AbortSignal;
}

/** A built product with a home and a working folder of its own. */
export class Product implements AsyncDisposable {
  readonly #root: string;
  readonly layout: HomeLayout;
  /** The working folder. */
  readonly folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #signal: AbortSignal;

  private constructor({ root, place, env, signal }: ProductPlace) {
    this.#root = root;
    this.layout = homeLayout(join(place, 'home'));
    this.folder = join(place, 'work');
    this.#env = { ...env, BULKHEAD_HOME: this.layout.root };
    this.#signal = signal;
  }

  /** @param extra lines for `config.yaml` */
  static async prepare(
    where: ProductPlace,
    modelUrl: string,
    extra: readonly string[] = [],
  ): Promise<Product> {
    const home = join(where.place, 'home');
    const folder = join(where.place, 'work');
    await mkdir(home, { recursive: true, mode: 0o700 });
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'note.txt'), 'A line to read.\n');
    const config = [
      'models:',
      `  chat: { provider: openai-compatible, model: hi, baseUrl: '${modelUrl}' }`,
      'limits: { maxRounds: 1000 }',
      'server: { port: 0 }',
      ...extra,
    ];
    await writeFile(join(home, 'config.yaml'), `${config.join('\n')}\n`);
    return new Product(where);
  }

  /** `bulkhead run … "say hi"`. */
  run({ model, json, started }: ProductRun = {}): Promise<ProgramRun> {
    const args = [
      ...(model === undefined ? [] : ['--model', `openai-compatible/${model}`]),
      ...(json === true ? ['--json'] : []),
    ];
    return this.#call(['run', ...args, 'say hi'], {
      signal: this.#signal,
      ...(started === undefined ? {} : { started }),
    });
  }

  /** `bulkhead sessions list`. */
  listSessions(limit: number): Promise<ProgramRun> {
    return this.#call(['sessions', 'list', '--limit', `${limit}`], { signal: this.#signal });
  }

  /** Gives the home a copy of a closed database. No engine may run. */
  async adopt(database: string): Promise<void> {
    await mkdir(this.layout.state, { recursive: true, mode: 0o700 });
    await copyFile(database, this.layout.database);
    await chmod(this.layout.database, 0o600);
  }

  /** A client of the running engine. The caller closes it. */
  connect(): Promise<EngineClient> {
    return connectEngine(this.layout, { signal: this.#signal });
  }

  async start(): Promise<void> {
    await this.#call(['start', '--daemon'], { signal: this.#signal });
  }

  /** Ends the engine; nothing happens if none runs. */
  async stop(): Promise<void> {
    if ((await this.#supervisor()) !== undefined) await this.#call(['stop']);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** @returns the process id of the supervisor, whose descendants are engine, agents and workers */
  async running(): Promise<number> {
    const supervisor = await this.#supervisor();
    if (supervisor === undefined) throw new Error('the engine does not run');
    return supervisor;
  }

  async #supervisor(): Promise<number | undefined> {
    const { stdout } = await this.#call(['status', '--json']).catch(() => ({ stdout: '{}' }));
    const status: unknown = JSON.parse(stdout);
    const pid =
      typeof status === 'object' && status !== null && 'supervisor' in status ? status.supervisor : undefined;
    return typeof pid === 'number' ? pid : undefined;
  }

  #call(
    args: readonly string[],
    options: Pick<ProgramOptions, 'signal' | 'started'> = {},
  ): Promise<ProgramRun> {
    return runProgram(join(this.#root, 'bulkhead'), args, { cwd: this.folder, env: this.#env, ...options });
  }
}

/** Waits until the processes below `supervisor` have nothing to do: what one run started must not weigh on the next. */
export async function quiet(supervisor: number): Promise<void> {
  const end = performance.now() + QUIET_LIMIT_MS;
  let before = -1;
  for (;;) {
    const now = cpuMs(processTree(supervisor));
    if (now === before || performance.now() > end) return;
    before = now;
    await sleep(QUIET_MS);
  }
}
