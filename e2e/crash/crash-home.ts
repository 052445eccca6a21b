import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type EngineClient, ensureEngine, reconnectEngine } from '@bulkhead/client';
import { BulkheadError, type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { LiveProcesses } from './live-processes.ts';

/** How long a supervisor may take to have an engine again before its starter helps [FT77]. */
const RESPAWN_MS = 30_000;
const TRIES = 12;
const PAUSE_MS = 100;
const LOST: readonly string[] = ['not_running', 'not_available', 'timeout', 'unauthenticated'];

/** A fault that has happened. */
export interface Fired {
  readonly point: string;
  readonly action: string;
}

/** A home whose engine is a fault build, started again whenever it is needed. */
export class CrashHome implements AsyncDisposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-crash-')));
  readonly layout: HomeLayout = homeLayout(join(this.root, 'home'));
  readonly processes = new LiveProcesses(this.layout.root);
  readonly #build: string;
  readonly #plan = join(this.root, 'fault');
  #client: EngineClient | undefined;
  #keep = false;

  /** @param build folder of the fault build @param config of the home, as `config.yaml` has it */
  constructor(build: string, config: string) {
    this.#build = build;
    mkdirSync(this.layout.root, { mode: 0o700 });
    writeFileSync(this.layout.config, `server: { port: 0 }\n${config}`);
    writeFileSync(`${this.#plan}.fired`, '');
  }

  /** Makes a working folder. */
  folder(name: string): string {
    const path = join(this.root, 'work', name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** @param plan as `FAULT` has it */
  arm(plan: string): void {
    writeFileSync(this.#plan, plan);
  }

  disarm(): void {
    rmSync(this.#plan, { force: true });
  }

  /** Faults that have happened since the home was made. */
  fired(): readonly Fired[] {
    const lines = readFileSync(`${this.#plan}.fired`, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => {
      const [, point = '', action = ''] = line.split(' ');
      return { point, action };
    });
  }

  /** A client of a running engine. Starts one if its supervisor has none soon. */
  async client(): Promise<EngineClient> {
    if (this.#client !== undefined) return this.#client;
    let problem: unknown;
    for (let tries = 0; tries < TRIES; tries += 1) {
      try {
        this.#client = await this.#open();
        return this.#client;
      } catch (error) {
        problem = error;
        await sleep(PAUSE_MS);
      }
    }
    throw new Error(`no engine could be started on ${this.layout.root}`, { cause: problem });
  }

  /** Makes a call until an engine has answered it. It must be one that may be made twice. */
  async call<Answer>(action: (client: EngineClient) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await action(await this.client());
      } catch (error) {
        if (!isLost(error)) throw error;
        this.lost();
        await sleep(PAUSE_MS);
      }
    }
  }

  /** Makes a call once. @returns undefined if the engine ended during it: its effect is unknown */
  async tryOnce<Answer>(action: (client: EngineClient) => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await action(await this.client());
    } catch (error) {
      if (!isLost(error)) throw error;
      this.lost();
      return undefined;
    }
  }

  lost(): void {
    this.#client?.[Symbol.dispose]();
    this.#client = undefined;
  }

  /** Keeps the home, so that a person can look for the cause of a failure. */
  keep(): void {
    this.#keep = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.disarm();
    try {
      await (await this.client()).call('stop', { restart: false });
      for (let waited = 0; waited < 6_000 && this.processes.supervisors().length > 0; waited += 50)
        await sleep(50);
    } catch {
      // No engine answers: the remaining processes are killed below.
    }
    this.lost();
    this.processes[Symbol.dispose]();
    this.processes.end();
    if (!this.#keep) rmSync(this.root, { recursive: true, force: true });
  }

  async #open(): Promise<EngineClient> {
    if (this.processes.supervisors().length > 0) {
      const again = await reconnectEngine(this.layout, RESPAWN_MS).catch(() => undefined);
      if (again !== undefined) return again;
    }
    const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: this.root, FAULT: `@${this.#plan}` };
    const supervisor = pathToFileURL(join(this.#build, 'supervisor.js'));
    return (await ensureEngine(this.layout, { supervisor, env })).client;
  }
}

/** There is no engine, or it is about to go: another one will answer. */
function isLost(error: unknown): boolean {
  return BulkheadError.is(error) && LOST.includes(error.code);
}
