import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure, Row } from '../figure.ts';
import { sizeOf } from '../memory-size.ts';
import { commandOf } from '../process-table.ts';
import { quiet } from '../product.ts';
import { pairedRow, spread } from '../render.ts';

const REPEATS = 2;
const SAMPLE_MS = 5;
/** The agent of a run ends, and the one kept ready stays. */
const ONE_AGENT_MS = 3_500;

/** Proportional set size of all processes. */
export const memory: Figure = {
  name: 'memory',
  async measure({ product: newProduct, bare }) {
    const hi = { product: [] as number[], bare: [] as number[] };
    const mixed = { product: [] as number[], bare: [] as number[] };
    const idle: number[] = [];
    const afterRun: number[] = [];
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      await using product = await newProduct('agents: { idleSeconds: 2 }');
      await product.start();
      const supervisor = await product.running();
      await quiet(supervisor);
      hi.product.push(await peakDuring((started) => product.run({ started }), [supervisor]));
      await quiet(supervisor);
      afterRun.push(sizeOf([supervisor]));
      await sleep(ONE_AGENT_MS);
      idle.push(sizeOf([supervisor], isNoWorker));
      hi.bare.push(await peakDuring((started) => bare.run('hi', started), []));
      mixed.product.push(
        await peakDuring((started) => product.run({ model: 'mixed', started }), [supervisor]),
      );
      mixed.bare.push(await peakDuring((started) => bare.run('mixed', started), []));
    }
    const format = { unit: ' MB' };
    const peak = (_ratio: number, value: number) => ({ text: '≤ 180 MB', limit: 180, value });
    return [
      pairedRow('peak memory (PSS), all processes, `run "say hi"`', hi, format, peak),
      pairedRow('the same, a run with `read`, `bash` and 500 deltas', mixed, format, peak),
      idleRow('idle after a run: supervisor, engine, one agent', idle, 130),
      idleRow(
        'just after a run: with its agent, the one kept ready, and the worker if one was started',
        afterRun,
        undefined,
      ),
    ];
  },
};

/** @returns the largest sum seen, MB */
async function peakDuring(
  run: (started: (pid: number) => void) => Promise<unknown>,
  roots: readonly number[],
): Promise<number> {
  const all = [...roots];
  let running = true;
  const ended = run((pid) => all.push(pid)).finally(() => {
    running = false;
  });
  const sample = async (): Promise<number> => {
    let peak = 0;
    while (running) {
      peak = Math.max(peak, sizeOf(all));
      await sleep(SAMPLE_MS);
    }
    return peak;
  };
  const [peak] = await Promise.all([sample(), ended]);
  return peak;
}

/** A slow model makes the engine start a worker ahead of need; it stays for a minute. */
function isNoWorker(pid: number): boolean {
  return !commandOf(pid).includes('/worker.mjs');
}

function idleRow(what: string, values: readonly number[], limit: number | undefined): Row {
  const row = { what: `memory (PSS), ${what}`, product: spread(values, ' MB'), bare: 'none', ratio: '' };
  if (limit === undefined) return row;
  return { ...row, target: { text: `≤ ${limit} MB`, limit, value: Math.max(...values) } };
}
