import type { Figure, Row, Setting, Target } from '../figure.ts';
import { cpuMs, endedChildrenMs, processTree } from '../process-table.ts';
import { type Product, quiet } from '../product.ts';
import { pairedRow } from '../render.ts';

interface Load {
  /** Of the model server. */
  readonly model: string;
  readonly pace: string;
  readonly deltas: number;
  readonly repeats: number;
  readonly target: (ratio: number, microseconds: number) => Target;
}

const FAST: Load = {
  model: 'deltas',
  pace: 'as fast as the server can',
  deltas: 20_000,
  repeats: 4,
  target: (_ratio, value) => ({ text: '≤ 30 µs', limit: 30, value }),
};
/** The design's row was measured at full speed; its 30 µs are three times what its bare client took. */
const PACED: Load = {
  model: 'paced',
  pace: 'one in about 1 ms',
  deltas: 3_000,
  repeats: 2,
  target: (value) => ({ text: '≤ 3× (as 30 µs to 10)', limit: 3, value }),
};

/** Runs with one model and answers what that cost, milliseconds of CPU in all processes. */
type Cost = (model: string) => Promise<number>;

interface Costs {
  readonly text: Cost;
  readonly json: Cost;
  readonly bare: Cost;
}

/** CPU of all processes of the product for one text delta, start and end of the run taken off. */
export const deltaCpu: Figure = {
  name: 'delta-cpu',
  async measure(setting) {
    await using product = await setting.product('agents: { idleSeconds: 5 }');
    await product.start();
    const supervisor = await product.running();
    const costs = {
      text: productCost(product, supervisor, false),
      json: productCost(product, supervisor, true),
      bare: bareCost(setting),
    };
    await product.run({ model: `${FAST.model}-${FAST.deltas}` });
    await costs.bare(`${FAST.model}-${FAST.deltas}`);
    return [...(await rows(costs, FAST, product)), ...(await rows(costs, PACED, product))];
  },
};

async function rows(costs: Costs, load: Load, product: Product): Promise<readonly Row[]> {
  const found = { text: [] as number[], json: [] as number[], bare: [] as number[] };
  for (let repeat = 0; repeat < load.repeats; repeat += 1) {
    found.text.push(await perDelta(costs.text, load));
    found.bare.push(await perDelta(costs.bare, load));
    found.json.push(await perDelta(costs.json, load));
  }
  const events = await eventsOf(product, load);
  const format = { unit: ' µs', digits: 1 };
  const { text, json, bare } = found;
  const what = `CPU per text delta, ${load.pace}`;
  return [
    pairedRow(what, { product: text, bare }, format, load.target),
    pairedRow(
      `the same with \`run --json\` (${load.deltas} deltas came as ${events} events)`,
      { product: json, bare },
      format,
      load.target,
    ),
  ];
}

/** @returns microseconds */
async function perDelta(cost: Cost, { model, deltas }: Load): Promise<number> {
  const none = await cost(`${model}-1`);
  const all = await cost(`${model}-${deltas + 1}`);
  return ((all - none) * 1_000) / deltas;
}

/**
 * The events that a client of the stream sees: deltas that wait for one another travel together.
 */
async function eventsOf(product: Product, { model, deltas }: Load): Promise<number> {
  const { stdout } = await product.run({ model: `${model}-${deltas}`, json: true });
  return stdout.split('\n').filter((line) => line.includes('"type":"text_delta"')).length;
}

function productCost(product: Product, supervisor: number, json: boolean): Cost {
  return async (model) => {
    await quiet(supervisor);
    const before = cpuMs(processTree(supervisor)) + endedChildrenMs();
    await product.run({ model, json });
    await quiet(supervisor);
    return cpuMs(processTree(supervisor)) + endedChildrenMs() - before;
  };
}

function bareCost({ bare }: Setting): Cost {
  return async (model) => {
    const before = endedChildrenMs();
    await bare.run(model);
    return endedChildrenMs() - before;
  };
}
