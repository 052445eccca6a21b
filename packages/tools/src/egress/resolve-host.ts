import { lookup } from 'node:dns/promises';

/**
 * All addresses of a name, of both families, in the order to try them.
 * @throws Error if there is none or nobody can be asked
 */
export type HostResolver = (name: string) => Promise<readonly string[]>;

/** As the system resolves names for every program: hosts file, then DNS. */
export const systemResolver: HostResolver = async (name) => {
  const answers = await lookup(name, { all: true, order: 'verbatim' });
  return answers.map(({ address }) => address);
};
