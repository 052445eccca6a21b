import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure } from '../figure.ts';
import { quiet } from '../product.ts';
import { summarise } from '../statistics.ts';

const RUNS = 24;
const LINE = /"ms":([\d.]+).*"msg":"agent ready"/;

/**
 * From the spawn of an agent process to its ready message, its attempts on its own box included, as the engine's log says it.
 * Each run is a session, and takes an agent of its own. Without the first, which makes the slow attempts as well.
 */
export const agentStart: Figure = {
  name: 'agent',
  async measure({ product: newProduct }) {
    await using product = await newProduct();
    await product.start();
    const supervisor = await product.running();
    for (let run = 0; run < RUNS; run += 1) {
      await quiet(supervisor);
      await product.run();
    }
    await quiet(supervisor);
    const log = await readFile(join(product.layout.logs, 'engine.log'), 'utf8');
    const [, ...starts] = log.split('\n').flatMap((line) => Number(LINE.exec(line)?.[1] ?? []) || []);
    if (starts.length < RUNS / 2) throw new Error(`the engine's log tells of ${starts.length} agents only`);
    const { median, p95, count } = summarise(starts);
    return [
      {
        what: `an agent from its spawn to its ready message, its box attacked from inside (${count} agents)`,
        product: `${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
        bare: '',
        ratio: '',
      },
    ];
  },
};
