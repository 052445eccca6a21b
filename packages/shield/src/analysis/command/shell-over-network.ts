import type { Effect } from '../effects/effect.ts';

/**
 * A shell that takes its orders from another machine: it waits for input, or runs what is only known when it comes, beside a
 * bare connection of the same command. How the two are tied together (a descriptor, a pipe, a fifo) has too many spellings
 * to tell; nothing else that is of use has both.
 *
 * @returns the effect, if these say that there is one
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
