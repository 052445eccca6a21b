import { lookup } from 'node:dns/promises';

/**
 * All addresses of a name, of both families, in the order to try them.
 * @throws Error if there is none or the lookup fails
 */
export type HostResolver = (name: string) => Promise<readonly string[]>;

/** Resolves as every program on this system does: hosts file, then DNS. */
export const systemResolver: HostResolver = async (name) => {
  const answers = await lookup(name, { all: true, order: 'verbatim' });
  return answers.map(({ address }) => address);
};
