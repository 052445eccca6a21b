/** Measures, and writes what came out; `main.ts` starts it. */
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isBuilt } from '../../scripts/set-up/source-stamp.mjs';
import { bareClient } from './bare-client.ts';
import type { Figure, Row, Setting } from './figure.ts';
import { agentStart } from './figures/agent-start.ts';
import { audit } from './figures/audit.ts';
import { deltaCpu } from './figures/delta-cpu.ts';
import { history } from './figures/history.ts';
import { load } from './figures/load.ts';
import { memory } from './figures/memory.ts';
import { memoryIndex } from './figures/memory-index.ts';
import { memorySearch } from './figures/memory-search.ts';
import { requestTokens } from './figures/request-tokens.ts';
import { restart } from './figures/restart.ts';
import { roundGap } from './figures/round-gap.ts';
import { shieldCost } from './figures/shield.ts';
import { snapshot } from './figures/snapshot.ts';
import { spawnCost } from './figures/spawn.ts';
import { cold, warm } from './figures/start.ts';
import { describeMachine, load as machineLoad } from './machine.ts';
import { ModelServer } from './model-server-process.ts';
import { Product } from './product.ts';
import { renderTable } from './render.ts';
import { Stock } from './store/stock.ts';

interface RunNotes {
  readonly date: Date;
  readonly seconds: number;
  /** Load average before and after. */
  readonly loads: readonly [before: string, after: string];
}

/** The text of `RESULTS.md`. */
function renderResults(rows: readonly Row[], { date, seconds, loads }: RunNotes): string {
  return `# Results of \`npm run bench\`

${renderTable(rows)}

Measured on ${date.toISOString().slice(0, 10)} in ${seconds} s on ${describeMachine()}. Load average ${loads[0]} before and ${loads[1]} after:
above the number of cores, others were at work on the machine; then trust ratios more than times.

- Values are medians, in brackets the smallest and the largest. A ratio is the median of the ratios of neighbours: product and
  bare client take turns.
- The bare client is \`bench/src/bare-client.mjs\`: one \`fetch\` on the same Node.js to the same server, its stream read and printed, the
  tool calls done in its own process without any check.
- CPU per delta is the user and system time of CLI, supervisor, engine, agents and workers, ended ones too, for an answer of many
  deltas less that for an answer of one. The server sends each delta by itself; where they come as fast as it can,
  the product passes many on as one event (the \`--json\` rows say how many), so that row says little of the price of an event.
- Memory is the proportional set size (PSS) of the same processes, in millions of bytes; the runtime is a copy that no other
  process shares. A peak is the largest of samples some 10 ms apart.
- Prompt tokens are those of the text of the messages and of the JSON of the tools.
- The many turns are sent by one client, watched by another process, and answered together, so that all stream at once. How late the
  engine's event loop is can be told only from outside: by the time to the answer of a cheap call made every 20 ms, answered or
  not, which holds the delay of the loop that asks too. The bare clients beside them are as many processes as there are turns.
- Stored sessions and messages are put into the database by the product's own store before the engine starts; an empty session
  of the same home does each step beside the long one.
- "To reach" is the table of the design. What it asks beside these rows is not measured yet.
`;
}

const FIGURES: readonly Figure[] = [
  warm,
  cold,
  deltaCpu,
  roundGap,
  requestTokens,
  memory,
  load,
  history,
  restart,
  snapshot,
  spawnCost,
  agentStart,
  audit,
  shieldCost,
  memorySearch,
  memoryIndex,
];

const checkout = dirname(dirname(import.meta.dirname));
const { values } = parseArgs({ options: { only: { type: 'string' }, 'as-built': { type: 'boolean' } } });
const chosen = FIGURES.filter(({ name }) => values.only === undefined || values.only === name);
if (chosen.length === 0) fail(`--only takes one of ${FIGURES.map(({ name }) => name).join(', ')}`);
if (process.platform !== 'linux') fail('The benchmark reads /proc: it runs on Linux only.');
if (values['as-built'] !== true && !isBuilt(checkout, process.execPath)) {
  execFileSync(process.execPath, [join(checkout, 'scripts', 'build.ts')], { stdio: 'inherit' });
}

const begin = performance.now();
const loadBefore = machineLoad();
const interrupt = new AbortController();
// Engines outlive their starters by design: an interrupted benchmark unwinds and ends its own.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
const rows = await measure(chosen, interrupt.signal).catch((error: unknown) => {
  if (interrupt.signal.aborted) return fail('Interrupted; nothing was written.', 130);
  throw error;
});
const seconds = Math.round((performance.now() - begin) / 1_000);
process.stdout.write(`${renderTable(rows)}\n`);
if (values.only === undefined) {
  const results = renderResults(rows, { date: new Date(), seconds, loads: [loadBefore, machineLoad()] });
  await writeFile(join(checkout, 'bench', 'RESULTS.md'), results);
}

async function measure(figures: readonly Figure[], signal: AbortSignal): Promise<readonly Row[]> {
  const place = await mkdtemp(join(tmpdir(), 'bulkhead-bench-'));
  try {
    await using server = await ModelServer.start();
    const node = await copyBuild(checkout, place);
    const env = { PATH: process.env['PATH'] ?? '', HOME: place };
    const bare = bareClient(node, server.url, { cwd: place, env, signal });
    await writeFile(join(place, 'note.txt'), 'A line to read.\n');
    let homes = 0;
    const product = (...config: readonly string[]): Promise<Product> => {
      homes += 1;
      const where = { root: place, place: join(place, `p${homes}`), env, signal };
      return Product.prepare(where, server.url, config);
    };
    const stock = new Stock(place);
    const stockedProduct = async (...config: readonly string[]): Promise<Product> => {
      const stocked = await product(...config);
      await stocked.adopt(stock.database());
      return stocked;
    };
    const setting: Setting = { server, bare, product, stockedProduct, signal };
    const rows: Row[] = [];
    for (const figure of figures) {
      process.stderr.write(`${figure.name} …\n`);
      rows.push(...(await figure.measure(setting)));
    }
    return rows;
  } finally {
    await rm(place, { recursive: true, force: true, maxRetries: 3 });
  }
}

function fail(message: string, code = 2): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

/**
 * Copies what is built, and its Node.js as a file of its own: a build meanwhile changes nothing, and no other
 * process shares the runtime's pages, which would make the product look smaller than it is.
 *
 * @param checkout folder of `bulkhead` and `dist`
 * @param target new folder
 * @returns path of the copied runtime
 */
async function copyBuild(checkout: string, target: string): Promise<string> {
  await mkdir(join(target, 'dist'), { recursive: true });
  await copyFile(join(checkout, 'bulkhead'), join(target, 'bulkhead'));
  await cp(join(checkout, 'dist'), join(target, 'dist'), {
    recursive: true,
    filter: (source) => !basename(source).startsWith('.') && basename(source) !== 'node',
  });
  const node = join(target, 'dist', 'node');
  await copyFile(await realpath(join(checkout, 'dist', 'node')), node);
  await chmod(node, 0o755);
  // The search program is found as a package.
  await symlink(join(checkout, 'node_modules'), join(target, 'node_modules'));
  return node;
}
