/*
 * `node scripts/sweeps.ts [--properties] [--list]`, for `npm run proof`: runs test files that cover
 * a share in `npm test` completely; or, with `--properties`, those with random values, with other
 * values than `npm test`. Exit code 1 if one failed.
 */
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { sourceFiles } from './checks/source-files.ts';
import { withoutNpm } from './set-up/environment.mjs';
import { handOver } from './set-up/hand-over.mjs';

const root = dirname(import.meta.dirname);
const { values } = parseArgs({
  options: {
    properties: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const imported = values.properties ? /from 'fast-check'/ : /from '@bulkhead\/testkit\/sweep'/;
const seed = randomInt(2 ** 31);
const env = values.properties ? { BULKHEAD_PROPERTY_SEED: String(seed) } : { BULKHEAD_SWEEPS: 'whole' };

const chosen: string[] = [];
for (const path of await sourceFiles(root, /\.test\.ts$/))
  if (imported.test(await readFile(join(root, path), 'utf8'))) chosen.push(path);

process.stdout.write(`${chosen.length} files${values.properties ? `, seed ${seed}` : ''}\n`);
if (values.list) process.stdout.write(`${chosen.join('\n')}\n`);
else
  process.exitCode = await handOver(join(root, 'node_modules', '.bin', 'vitest'), ['run', ...chosen], {
    cwd: root,
    env: { ...withoutNpm(process.env), ...env },
  });
