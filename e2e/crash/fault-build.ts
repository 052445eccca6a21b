import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isBuilt } from '../../scripts/set-up/source-stamp.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/**
 * Builds the sources as they are, with fault points that do something, unless that was done.
 *
 * @returns the folder of the bundles
 * @throws Error when they don't build
 */
export async function faultBuild(): Promise<string> {
  if (!isBuilt(root, process.execPath, 'dist-faults')) await build('--faults');
  return `${root}/dist-faults`;
}

/**
 * Builds the product, unless that was done.
 *
 * @throws Error when it doesn't build
 */
export async function productBuild(): Promise<void> {
  if (!isBuilt(root, process.execPath)) await build();
}

async function build(...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [`${root}/scripts/build.ts`, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let problem = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    problem += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`scripts/build.ts ${args.join(' ')} failed:\n${problem}`);
}
