import { setTimeout as sleep } from 'node:timers/promises';
import type { Setting } from '../figure.ts';
import { sizeOf } from '../memory-size.ts';
import { monotonicMs } from '../monotonic-ms.ts';
import type { Turns } from './product-turns.ts';

/** Rarely: a sample takes long with so many processes, and the clients share the machine with it. */
const SAMPLE_MS = 1_000;

export interface BareResult {
  /** From the start of the first to the end of the last, milliseconds. */
  readonly wallMs: number;
  /** The largest sum seen, MB. */
  readonly megabytes: number;
}

/** As many bare clients at once, each a process of its own. */
export async function bareTurns({ bare }: Setting, { model, turns }: Turns): Promise<BareResult> {
  const pids: number[] = [];
  let running = true;
  const begin = monotonicMs();
  const runs = Array.from({ length: turns }, () => bare.run(model, (pid) => pids.push(pid)));
  const ended = Promise.all(runs).finally(() => {
    running = false;
  });
  const sample = async (): Promise<number> => {
    let peak = 0;
    while (running) {
      await sleep(SAMPLE_MS);
      peak = Math.max(peak, sizeOf(pids));
    }
    return peak;
  };
  const [megabytes] = await Promise.all([sample(), ended]);
  return { wallMs: monotonicMs() - begin, megabytes };
}
