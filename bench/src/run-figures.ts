/** Measures, and writes what came out; `main.ts` starts it. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isBuilt } from '../../scripts/set-up/source-stamp.mjs';
import { bareClient } from './bare-client.ts';
import { copyBuild } from './copy-build.ts';
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
import { load as machineLoad } from './machine.ts';
import { ModelServer } from './model-server-process.ts';
import { Product } from './product.ts';
import { renderTable } from './render.ts';
import { renderResults } from './results.ts';
import { Stock } from './store/stock.ts';

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
