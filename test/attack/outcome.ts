import { constants } from 'node:os';

/**
 * The outcome of an attempt: `done`, the name of its errno or final signal, `refused` from a script
 * without an errno, or `nothing`: it was allowed but had no effect.
 */
export type Outcome = string;

const KILLED_BASE = 1000;
/** Second names of numbers that have a better known one. */
const ALIASES = ['EWOULDBLOCK', 'ENOTSUP'];
const names = new Map(
  Object.entries(constants.errno)
    .filter(([name]) => !ALIASES.includes(name))
    .map(([name, number]) => [number, name]),
);
const signals = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/**
 * @param result number that a native attempt gave: 0 or more, minus errno, or 1000 and a signal's
 *   number
 */
export function outcomeOf(result: number): Outcome {
  if (result > KILLED_BASE && result < KILLED_BASE + 65) {
    return signals.get(result - KILLED_BASE) ?? `signal ${result - KILLED_BASE}`;
  }
  return result >= 0 ? 'done' : (names.get(-result) ?? `errno ${-result}`);
}
