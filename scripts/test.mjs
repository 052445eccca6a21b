/* `npm test [-- ARGS]`: installs what is missing, then runs every check on the pinned Node.js. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handOver } from './set-up/hand-over.mjs';
import { main } from './set-up/main.mjs';
import { setUp } from './set-up/set-up.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

await main(async (signal, settled) => {
  const { NODE_OPTIONS: _unwanted, ...env } = process.env;
  const runtime = await setUp(root, { build: false, env: process.env, stream: process.stderr, signal });
  settled();
  return handOver(runtime, [join(root, 'scripts', 'check.ts'), ...process.argv.slice(2)], { cwd: root, env });
});
