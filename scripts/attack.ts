/*
 * `npm run attack -- [--box agent|worker|shell]... [--without WALL|all]...
 * [--view live|overlay|copy] [--json]`: attacks every box from inside, with
 * listeners, canaries and the host's own /proc as witnesses (docs/attacks.md). `--without` builds the launcher with one
 * wall missing and sees whether the attacks notice. Exit code 1 if anything got through or went unnoticed.
 */
import { join } from 'node:path';
import { handOver } from './set-up/hand-over.mjs';

const program = join(import.meta.dirname, '../packages/sandbox/src/attack/main.child.ts');
process.exitCode = await handOver(process.execPath, [program, ...process.argv.slice(2)], {
  cwd: process.cwd(),
  env: process.env,
});
