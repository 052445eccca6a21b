import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Swaps a folder for a link to the outside and back, as fast as it can. */
const SCRIPT = `
  const fs = require('node:fs');
  const [root, outside] = process.argv.slice(1);
  const at = (name) => root + '/' + name;
  const move = (from, to) => {
    try {
      fs.renameSync(at(from), at(to));
      return true;
    } catch {
      return false;
    }
  };
  fs.symlinkSync(outside, at('spare'));
  for (;;) {
    move('sub', 'parked');
    move('spare', 'sub');
    move('sub', 'spare');
    // The raced tool may have made a folder of that name meanwhile: then that one is the folder.
    if (!move('parked', 'sub')) fs.rmSync(at('parked'), { recursive: true, force: true });
  }`;

const LEAST_MS = 1_500;
const MOST_MS = 8_000;

/**
 * Calls `attempt` over and over while another process swaps `root/sub` for a link to `outside`: for
 * 1.5 s, and on a busy machine longer, until all `wanted` outcomes occurred.
 * @returns the count of each outcome
 */
export async function raceFolder(
  root: string,
  outside: string,
  wanted: readonly string[],
  attempt: () => Promise<string> | string,
): Promise<ReadonlyMap<string, number>> {
  const racer = spawn(process.execPath, ['-e', SCRIPT, root, outside], { stdio: 'ignore' });
  const exited = once(racer, 'exit');
  const seen = new Map<string, number>();
  const start = performance.now();
  const goesOn = () => {
    const passed = performance.now() - start;
    return passed < LEAST_MS || (passed < MOST_MS && !wanted.every((outcome) => seen.has(outcome)));
  };
  try {
    while (goesOn()) {
      const outcome = await attempt();
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
  } finally {
    racer.kill('SIGKILL');
    await exited;
  }
  return seen;
}
