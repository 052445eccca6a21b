import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import type { FaultPoint } from '@bulkhead/protocol';
import { type FaultPlan, parseFaultPlan } from './fault-plan.ts';

/**
 * How long `delay` stops the whole process, milliseconds: long enough for another process to kill
 * the one it waits for.
 */
const DELAY_MS = 400;

/** The fault plan from `FAULT` of one process. */
class ArmedFaults {
  readonly #source: string;
  #text = '';
  #hits = 0;

  constructor(source: string) {
    this.#source = source;
  }

  reached(point: FaultPoint): void {
    const plan = this.#plan();
    if (plan?.point !== point) return;
    this.#hits += 1;
    if (this.#hits === plan.hit) this.#fire(plan);
  }

  #plan(): FaultPlan | undefined {
    if (this.#source === '') return undefined;
    const text = this.#source.startsWith('@') ? readOrEmpty(this.#source.slice(1)) : this.#source;
    if (text !== this.#text) this.#hits = 0;
    this.#text = text;
    return text === '' ? undefined : parseFaultPlan(text);
  }

  #fire({ point, action }: FaultPlan): void {
    if (this.#source.startsWith('@')) {
      // Removed before it strikes: a new process must not fail at the same place forever.
      const path = this.#source.slice(1);
      rmSync(path, { force: true });
      appendFileSync(`${path}.fired`, `${process.pid} ${point} ${action}\n`);
    }
    if (action === 'kill') process.kill(process.pid, 'SIGKILL');
    else if (action === 'eio') throw inputOutputError(point);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, DELAY_MS);
  }
}

// One process has one plan, as it has one environment; only fault builds hold this module.
const faults = new ArmedFaults(process.env['FAULT'] ?? '');

/**
 * Replaces `faultPoint` of protocol in fault builds. `FAULT=POINT:kill|eio|delay[:HIT]` selects the
 * point, the fault and the hit, counted in each process. `FAULT=@FILE` reads that from a file each
 * time, so that it can change while the process runs; then it happens once and is recorded in
 * `FILE.fired`.
 *
 * @throws Error as from a failing disk, for `eio`
 */
export function faultPoint(point: FaultPoint): void {
  faults.reached(point);
}

/**
 * Resembles an error of the file system (`errno`) and one of SQLite (`errcode`), for any caller.
 */
function inputOutputError(point: string): Error {
  const facts = { code: 'EIO', errno: -5, errcode: 10, syscall: 'write' };
  return Object.assign(new Error(`EIO: i/o error, injected at ${point}`), facts);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
