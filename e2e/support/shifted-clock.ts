import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('./shifted-clock.c', import.meta.url));

/**
 * A wall clock of an engine that a test can set, also while it runs. Boxed processes have an empty environment and keep the
 * right one. Needs a C compiler.
 */
export class ShiftedClock implements Disposable {
  readonly #folder: string;
  readonly #file: number;
  /** For the command that starts the engine: the supervisor and every engine after it have it, too. */
  readonly env: Readonly<Record<string, string>>;

  /** @throws Error if there is no C compiler, or it fails */
  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'bulkhead-clock-'));
    const library = join(this.#folder, 'shifted-clock.so');
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE]);
    const path = join(this.#folder, 'shift');
    this.#file = openSync(path, 'w');
    this.set(0);
    this.env = { LD_PRELOAD: library, BULKHEAD_TEST_CLOCK: path };
  }

  /** @param ms how far the clock is to be ahead of the right one; negative: behind it */
  set(ms: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(Math.trunc(ms)));
    writeSync(this.#file, bytes, 0, bytes.length, 0);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Whether clocks can be shifted here. */
export function canShiftClocks(): boolean {
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' });
    return process.platform === 'linux';
  } catch {
    return false;
  }
}
