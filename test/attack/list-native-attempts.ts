import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Attempt } from './attempt.ts';
import { nativeCalls, nativeDeedNames, nativeDeeds } from './native-attempts.ts';

/**
 * All attempts of the compiled program.
 * @throws Error if the program and the list of what boxes must answer do not have the same names
 */
export async function nativeAttempts(attack: string): Promise<Attempt[]> {
  const { stdout } = await promisify(execFile)(attack, ['names']);
  const [known, listed] = [nativeDeeds.map(({ name }) => name), nativeDeedNames(stdout)];
  const odd = [
    ...known.filter((name) => !listed.includes(name)),
    ...listed.filter((name) => !known.includes(name)),
  ];
  if (odd.length > 0) throw new Error(`Known to one side only: ${odd.join(', ')}`);
  return [...nativeDeeds, ...nativeCalls(stdout)];
}
