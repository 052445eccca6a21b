import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/**
 * Builds the sources as they are, with fault points that do something.
 *
 * @returns the folder of the bundles
 * @throws Error when they don't build
 */
export async function faultBuild(): Promise<string> {
  const child = spawn(process.execPath, [`${root}/scripts/build.ts`, '--faults'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let problem = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    problem += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the fault build failed:\n${problem}`);
  return `${root}/dist-faults`;
}
