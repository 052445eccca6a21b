import type { Effect } from '../effects/effect.ts';

/**
 * Detects a shell controlled by another machine: a shell that waits for input, or runs text known
 * only at run time, beside a bare connection in the same command. The link between them (a
 * descriptor, a pipe, a fifo) has too many spellings to check; no other useful command has both.
 *
 * @returns the effect, if these effects contain such a pair
 */
export function shellOverNetwork(effects: readonly Effect[]): Effect | undefined {
  const connection = effects.find(
    ({ verb, kind }) => verb === 'send' && (kind === 'device' || kind === 'stream'),
  );
  const obeys = effects.some(
    ({ verb, kind }) =>
      verb === 'compute' || (verb === 'evaluate' && (kind === 'interactive' || kind === 'computed')),
  );
  if (connection === undefined || !obeys) return undefined;
  return { verb: 'evaluate', kind: 'network-shell', labels: connection.labels, object: connection.object };
}
