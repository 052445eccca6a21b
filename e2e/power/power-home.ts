import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectEngine, type EngineClient } from '@bulkhead/client';
import { type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { CliProcess, type CliResult } from '../support/cli-process.ts';
import { descendantsOf, isAlive, type ProcessEntry, processesOfHome } from '../support/process-table.ts';
import { until } from '../support/until.ts';

export const COMMAND = fileURLToPath(new URL('../../bulkhead', import.meta.url));
const START_MS = 60_000;
const FREEZE_MS = 400;
const KILL_MS = 15_000;

/** A home and a working folder on a disk that loses power, and the processes that work on them. */
export class PowerHome {
  readonly layout: HomeLayout;
  /** The working folder. */
  readonly folder: string;
  readonly #userHome: string;

  /** @param disk mount point of the disk @param userHome a folder elsewhere */
  constructor(disk: string, userHome: string) {
    this.layout = homeLayout(join(disk, 'home'));
    this.folder = join(disk, 'work');
    this.#userHome = userHome;
  }

  /** Makes the home with a configuration and nothing else, and the empty working folder. */
  make(config: string): void {
    mkdirSync(this.layout.root, { mode: 0o700 });
    mkdirSync(this.folder);
    this.configure(config);
  }

  configure(config: string): void {
    writeFileSync(this.layout.config, `server: { port: 0 }\n${config}`);
  }

  get env(): Readonly<Record<string, string>> {
    return {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      HOME: this.#userHome,
      BULKHEAD_HOME: this.layout.root,
      OLLAMA_HOST: '127.0.0.1:1',
    };
  }

  /** Runs the command to its end. */
  async cli(args: readonly string[]): Promise<CliResult> {
    return await new CliProcess(args, { cwd: this.#userHome, env: this.env, timeoutMs: START_MS }).done();
  }

  client(): Promise<EngineClient> {
    return connectEngine(this.layout);
  }

  /** @returns once an engine answers that somebody else starts @throws Error if none does in time */
  async started(): Promise<void> {
    await until(
      'an engine answers',
      async () => {
        if (!existsSync(this.layout.socket)) return false;
        try {
          using client = await this.client();
          await client.call('status', {});
          return true;
        } catch {
          return false;
        }
      },
      START_MS,
    );
  }

  /** Lets every call that is under way come to its end, and no other begin: the record of a killed call would be torn. */
  async freeze(): Promise<void> {
    for (const { pid } of this.#processes()) signal(pid, 'SIGSTOP');
    await sleep(FREEZE_MS);
  }

  /** Ends every process of the home as the kernel would. */
  async kill(): Promise<void> {
    const known = new Map<string, ProcessEntry>();
    await until(
      'the processes of the home have ended',
      () => {
        for (const entry of this.#processes()) known.set(`${entry.pid} ${entry.start}`, entry);
        const left = [...known.values()].filter(isAlive);
        for (const { pid } of left) signal(pid, 'SIGKILL');
        return left.length === 0;
      },
      KILL_MS,
    );
  }

  #processes(): readonly ProcessEntry[] {
    return processesOfHome(this.layout.root).flatMap((root) => [root, ...descendantsOf(root.pid)]);
  }
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile.
  }
}
