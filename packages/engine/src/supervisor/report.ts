import { closeSync, fstatSync, writeSync } from 'node:fs';

/**
 * Descriptor on which a starting process reports its result to its starter; see
 * `client/supervisor-report.ts`.
 */
export const REPORT_DESCRIPTOR = 3;

/**
 * Writes start reports, one JSON object a line. Without a listener nothing is written, and nothing
 * fails. An engine keeps the descriptor: its reports after `ready` are for its supervisor.
 */
export class StartReport {
  readonly #descriptor: number;
  #open: boolean;

  /** @param descriptor a pipe or socket without other users */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.#open = isPipe(descriptor);
  }

  progress(text: string): void {
    this.#write({ type: 'progress', text });
  }

  ready(enginePid: number, http: string): void {
    this.#write({ type: 'ready', engine_pid: enginePid, http });
  }

  /** @param keys for the environment of the next engine */
  keys(keys: Readonly<Record<string, string>>): void {
    this.#write({ type: 'keys', keys });
  }

  failed(code: string, message: string, fix: string | undefined): void {
    this.#write({ type: 'failed', code, message, ...(fix === undefined ? {} : { fix }) });
    this.#close();
  }

  /**
   * Passes on another process's line; true if it was the last one, after which the descriptor is
   * closed.
   */
  relay(line: string): boolean {
    this.#writeLine(line);
    const last = !line.includes('"type":"progress"');
    if (last) this.#close();
    return last;
  }

  #write(report: object): void {
    this.#writeLine(JSON.stringify(report));
  }

  #writeLine(line: string): void {
    if (!this.#open) return;
    try {
      writeSync(this.#descriptor, `${line}\n`);
    } catch {
      this.#open = false;
    }
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#descriptor);
  }
}

function isPipe(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}
