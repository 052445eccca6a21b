import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('recorder', import.meta.url));

/**
 * Builds the recorder.
 *
 * @param folder where the program is put
 * @returns its path; undefined where there is no compiler
 * @throws Error with the compiler's words if the sources do not compile
 */
export function buildRecorder(folder: string): string | undefined {
  const program = join(folder, 'power-recorder');
  const sources = ['recorder.c', 'calls.c', 'endings.c', 'disk.c', 'place.c'].map((name) =>
    join(SOURCES, name),
  );
  const flags = ['-O2', '-Wall', '-Wextra', '-Werror'];
  const { status, stderr, error } = spawnSync('cc', [...flags, '-o', program, ...sources], {
    encoding: 'utf8',
  });
  if (error !== undefined) return undefined;
  if (status !== 0) throw new Error(`the power recorder does not compile:\n${stderr}`);
  return program;
}

/** A program that runs with all its changes of a disk being written down. */
export class Recording {
  readonly #child: ChildProcess;
  readonly #exit: Promise<readonly unknown[]>;
  readonly #log: string;
  #errors = '';

  /**
   * @param recorder the built program
   * @param disk any folder of the disk
   * @param log path of the log to write; it must lie elsewhere
   */
  constructor(
    recorder: string,
    disk: string,
    log: string,
    command: readonly string[],
    options: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
  ) {
    this.#log = log;
    // Not in its own environment: who ends the processes of a home must not end the recorder before it has written.
    const variables = Object.entries(options.env).map(([name, value]) => `${name}=${value}`);
    this.#child = spawn(recorder, [disk, log, '/usr/bin/env', '-i', ...variables, ...command], {
      cwd: options.cwd,
      env: {},
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    this.#exit = once(this.#child, 'close');
    this.#exit.catch(() => undefined);
  }

  /**
   * Waits until the last recorded process has ended.
   *
   * @returns path of the log
   * @throws Error if the recorder could not write everything down
   */
  async done(): Promise<string> {
    const [code] = await this.#exit;
    if (code === 99) throw new Error(`the record is not whole: ${this.#errors}`);
    return this.#log;
  }

  /** Kills the recorder, and with it all it has started. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
