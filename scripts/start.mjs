/*
 * `npm start [-- ARGS]`: installs and builds what is missing, then runs `./bulkhead ARGS`. Runs on any Node.js
 * from 20 on and uses nothing but what that brings.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutNpm } from './set-up/environment.mjs';
import { handOver } from './set-up/hand-over.mjs';
import { main } from './set-up/main.mjs';
import { setUp } from './set-up/set-up.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

await main(async (signal, settled) => {
  await setUp(root, { build: true, env: process.env, stream: process.stderr, signal });
  settled();
  return handOver(join(root, 'bulkhead'), process.argv.slice(2), {
    // npm changes to the checkout; the working folder is where the person is.
    cwd:
      (process.env['npm_lifecycle_event'] === 'start' ? process.env['INIT_CWD'] : undefined) ?? process.cwd(),
    env: withoutNpm(process.env),
  });
});
