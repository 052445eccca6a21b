/*
 * `npm run pictures`: redraws docs/pictures/web, a picture of each page of the web UI. Needs
 * `npm run build` and a Chromium.
 */
import { join } from 'node:path';
import { handOver } from './set-up/hand-over.mjs';

const program = join(import.meta.dirname, '../e2e/web/take-pictures.child.ts');
process.exitCode = await handOver(
  process.execPath,
  ['--experimental-transform-types', '--no-warnings', program],
  { cwd: process.cwd(), env: process.env },
);
