import type { Figure } from '../figure.ts';
import { quiet } from '../product.ts';
import { pairedRow } from '../render.ts';

const ANSWER = 'Hi there.\n';
const WARM_UPS = 2;
const WARM_PAIRS = 12;
const COLD_PAIRS = 6;

/** `run "say hi"` while the engine runs. */
export const warm: Figure = {
  name: 'warm',
  async measure({ product: newProduct, bare }) {
    await using product = await newProduct();
    await product.start();
    const supervisor = await product.running();
    const walls = { product: [] as number[], bare: [] as number[] };
    for (let pair = -WARM_UPS; pair < WARM_PAIRS; pair += 1) {
      await quiet(supervisor);
      const ours = await product.run();
      expectAnswer(ours.stdout);
      await quiet(supervisor);
      const theirs = await bare.run('hi');
      if (pair < 0) continue;
      walls.product.push(ours.wallMs);
      walls.bare.push(theirs.wallMs);
    }
    return [
      pairedRow('`run "say hi"`, engine warm: wall', walls, { unit: ' ms' }, (ratio) => ({
        text: '≤ 2×',
        limit: 2,
        value: ratio,
      })),
    ];
  },
};

/** The same without an engine: starts supervisor, engine and agent. */
export const cold: Figure = {
  name: 'cold',
  async measure({ product: newProduct, bare }) {
    await using product = await newProduct();
    const walls = { product: [] as number[], bare: [] as number[] };
    for (let pair = -1; pair < COLD_PAIRS; pair += 1) {
      const ours = await product.run();
      expectAnswer(ours.stdout);
      await product.stop();
      const theirs = await bare.run('hi');
      if (pair < 0) continue;
      walls.product.push(ours.wallMs);
      walls.bare.push(theirs.wallMs);
    }
    return [
      pairedRow('`run "say hi"`, engine cold: wall', walls, { unit: ' ms' }, (ratio) => ({
        text: '≤ 5×',
        limit: 5,
        value: ratio,
      })),
    ];
  },
};

function expectAnswer(stdout: string): void {
  if (stdout !== ANSWER) throw new Error(`the product answered ${JSON.stringify(stdout)}`);
}
