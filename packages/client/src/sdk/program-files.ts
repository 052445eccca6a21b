import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BulkheadError } from '@bulkhead/protocol';

/** The parts of Bulkhead that a program starts. */
export interface ProgramFiles {
  readonly supervisor: URL;
  /** Path of the Node.js it was built for. */
  readonly node: string;
}

/**
 * The built program this module belongs to: the one beside it, or that of the checkout if this is
 * the source.
 *
 * @param here address of this module
 * @throws BulkheadError `not_available` if nothing was built
 */
export function programFiles(here: string): ProgramFiles {
  const places = [new URL('./', here), new URL('../../../../dist/', here)];
  const dist = places.find((place) => existsSync(new URL('supervisor.js', place)));
  if (dist === undefined) {
    throw new BulkheadError('not_available', `there is no built Bulkhead beside ${fileURLToPath(here)}`, {
      fix: 'Build it in its checkout: npm run build.',
    });
  }
  const node = fileURLToPath(new URL('node', dist));
  return { supervisor: new URL('supervisor.js', dist), node: existsSync(node) ? node : process.execPath };
}
