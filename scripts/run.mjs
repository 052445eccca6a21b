/*
 * `node scripts/run.mjs FILE ARGS`: runs a program of the checkout on the pinned Node.js, whatever Node.js this is.
 * Installs what is missing first.
 */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handOver } from './set-up/hand-over.mjs';
import { main } from './set-up/main.mjs';
import { setUp } from './set-up/set-up.mjs';
import { SetUpError } from './set-up/set-up-error.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

await main(async (signal, settled) => {
  const [file, ...args] = process.argv.slice(2);
  if (file === undefined) throw new SetUpError('Say which file to run: node scripts/run.mjs FILE [ARGS]');
  const { NODE_OPTIONS: _unwanted, ...env } = process.env;
  const runtime = await setUp(root, { build: false, env: process.env, stream: process.stderr, signal });
  settled();
  return handOver(runtime, [resolve(file), ...args], { cwd: process.cwd(), env });
});
