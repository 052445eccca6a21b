import { blocked, type Descriptor, failed, fileError, kindName } from '@bulkhead/files';
import type { Location } from './location.ts';

const NOT_COMPARED =
  'has other names, or had one a moment ago, and was not compared with protected files; try again';

/**
 * Opens a located regular file for reading. Anything else is refused before it is opened, so that a
 * pipe can't block and a device can't act; the descriptor is reopened, so no name is looked up
 * again.
 * @param instead the advice for a folder
 * @throws BulkheadError `tool_failed`; `blocked` for a place located only for listing
 */
export function openFileForReading(location: Location, instead: string): Descriptor {
  const { node, stat, shown } = location;
  if (location.use === 'list') throw blocked(shown, 'may only be listed');
  if (stat?.isDirectory()) throw failed(shown, `is a folder; ${instead}`);
  if (node === undefined || stat === undefined) throw failed(shown, 'no such file or folder');
  if (!stat.isFile()) throw failed(shown, `is ${kindName(stat)}; only regular files can be used`);
  if (location.isDoubted) throw failed(shown, NOT_COMPARED);
  try {
    return node.openContent();
  } catch (error) {
    throw fileError(error, shown);
  }
}
