import { gapsBetween } from '../exchange.ts';
import type { Figure, Row, Setting } from '../figure.ts';
import type { Product } from '../product.ts';
import { pairRatios } from '../render.ts';
import { summarise } from '../statistics.ts';

/** Product and bare client take turns, this many rounds at a time. */
const ROUNDS = 25;
const TURNS = 2;

/** From the model's last byte to the next request, over rounds of one tool call. */
export const roundGap: Figure = {
  name: 'round-gap',
  async measure(setting) {
    await using product = await setting.product();
    await product.start();
    return [
      await row(setting, product, {
        tool: 'read',
        what: 'one `read`, whole pipeline, audit on disk',
        limit: 5,
      }),
      await row(setting, product, { tool: 'bash', what: 'one boxed `bash` (`true`)', limit: 15 }),
    ];
  },
};

async function row(
  { server, bare }: Setting,
  product: Product,
  { tool, what, limit }: { readonly tool: string; readonly what: string; readonly limit: number },
): Promise<Row> {
  const model = `${tool}-${ROUNDS}`;
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let turn = -1; turn < TURNS; turn += 1) {
    await server.take();
    await product.run({ model });
    const gaps = gapsBetween(await server.take());
    await bare.run(model);
    const bareGaps = gapsBetween(await server.take());
    if (turn < 0) continue;
    ours.push(...gaps);
    theirs.push(...bareGaps);
  }
  const { median } = summarise(ours);
  return {
    what: `gap between the model's last byte and the next request: ${what}`,
    product: shown(ours),
    bare: shown(theirs),
    ratio: `${summarise(pairRatios(ours, theirs)).median.toFixed(1)}×`,
    target: { text: `≤ ${limit} ms`, limit, value: median },
  };
}

function shown(gaps: readonly number[]): string {
  const { median, min, max, p95 } = summarise(gaps);
  return `${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} (${min.toFixed(1)}–${max.toFixed(1)})`;
}
