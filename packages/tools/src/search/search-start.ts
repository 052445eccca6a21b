import { type Descriptor, failed } from '@bulkhead/files';
import type { Location } from '../files/location.ts';

/** Prefix that makes a path from ripgrep relative to the working folder. */
export function searchPrefix(location: Location): string {
  return location.shown === '.' ? '' : `${location.shown}/`;
}

/**
 * The folder a search begins in. @throws BulkheadError `tool_failed` if the location is no folder
 */
export function startFolder(location: Location): Descriptor {
  if (location.stat === undefined) throw failed(location.shown, 'no such file or folder');
  if (!location.stat.isDirectory()) throw failed(location.shown, 'is not a folder');
  return location.folder;
}
