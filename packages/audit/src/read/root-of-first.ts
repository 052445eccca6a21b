import { Frontier } from '../merkle/frontier.ts';
import { prefixedLeafHash, type TreeHash } from '../merkle/tree-hash.ts';
import { eachEntry } from './each-entry.ts';

/**
 * Root of the tree over the first `size` entries of the log, or over all if there are fewer. Reads
 * the log.
 */
export async function rootOfFirst(folder: string, size: number): Promise<TreeHash> {
  const tree = new Frontier();
  await eachEntry(folder, (line, n) => {
    if (n <= size) tree.append(prefixedLeafHash(line));
    return n < size;
  });
  return tree.root();
}
