import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { EventType, SessionEvent } from '@bulkhead/protocol';
import { ofType, parseEventLine } from './event-lines.ts';
import { until } from './until.ts';

/** The command of this checkout. */
const COMMAND = fileURLToPath(new URL('../../bulkhead', import.meta.url));

export interface CliOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Standard input; nothing if absent. */
  readonly stdin?: string;
  /** A program and its first arguments that run the command, as `strace -f` does. */
  readonly under?: readonly string[];
  /** Another build's command. */
  readonly command?: string;
  /** Killed after this, milliseconds. */
  readonly timeoutMs: number;
}

export interface CliResult {
  /** `null` if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Lines on standard error. */
  readonly errors: readonly string[];
  /** Standard output as event lines. @throws Error if it holds anything else */
  readonly events: readonly SessionEvent[];
}

/** @param code `null` if a signal ended it */
export function cliResult(code: number | null, stdout: string, stderr: string): CliResult {
  return {
    code,
    stdout,
    stderr,
    errors: stderr.split('\n').filter((line) => line !== ''),
    get events() {
      return stdout.trimEnd().split('\n').map(parseEventLine);
    },
  };
}

/** One call of the command, running or ended. */
export class CliProcess {
  readonly #child: ChildProcess;
  readonly #timeout: NodeJS.Timeout;
  readonly #exit: Promise<number | null>;
  #stdout = '';
  #stderr = '';

  constructor(args: readonly string[], options: CliOptions) {
    const command = options.command ?? COMMAND;
    const [file = command, ...words] = [...(options.under ?? []), command, ...args];
    this.#child = spawn(file, words, {
      cwd: options.cwd,
      env: options.env,
      stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    this.#child.stdin?.end(options.stdin);
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.#timeout = setTimeout(() => this.#child.kill('SIGKILL'), options.timeoutMs);
    this.#exit = once(this.#child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
    this.#exit.catch(() => undefined);
  }

  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void {
    this.#child.kill(name);
  }

  /** Complete event lines so far. */
  events(): readonly SessionEvent[] {
    const lines = this.#stdout.split('\n').slice(0, -1);
    return lines.map(parseEventLine);
  }

  /** Waits for an event of a type that fits. */
  async event<Type extends EventType>(
    type: Type,
    fits: (event: Extract<SessionEvent, { type: Type }>) => boolean = () => true,
    withinMs = 60_000,
  ): Promise<Extract<SessionEvent, { type: Type }>> {
    return until(
      `an event ${type}`,
      () => {
        const found = ofType(this.events(), type).find(fits);
        if (found === undefined && this.#child.exitCode !== null) {
          throw new Error(`ended (${this.#child.exitCode}) without ${type}:\n${this.#stdout}${this.#stderr}`);
        }
        return found;
      },
      withinMs,
    );
  }

  /** Waits for the end. */
  async done(): Promise<CliResult> {
    const code = await this.#exit;
    clearTimeout(this.#timeout);
    return cliResult(code, this.#stdout, this.#stderr);
  }

  /** Ends it if it still runs. */
  async end(): Promise<void> {
    if (this.#child.exitCode === null) this.#child.kill('SIGKILL');
    await this.done();
  }
}
