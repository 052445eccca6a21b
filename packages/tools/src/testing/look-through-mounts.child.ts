import { readSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';
import { GrantedFiles } from '../files/granted-files.ts';
import { openFileForReading } from '../files/open-file.ts';

/**
 * Prints what can be read of a folder in this process' mounts:
 * `look-through-mounts.child.ts FOLDER PATH,…`, with the closed paths
 */
const [folder = '', closed = ''] = process.argv.slice(2);
using files = GrantedFiles.open({ roots: [{ path: folder, access: 'rw' }] });
files.keepClosed(closed.split(',').filter(Boolean));

function contentOf(path: string): string {
  try {
    using location = files.locate(path, 'read');
    using file = openFileForReading(location, '');
    const buffer = Buffer.alloc(100);
    return buffer.toString('utf8', 0, readSync(file.fd, buffer));
  } catch (error) {
    return BulkheadError.is(error) ? error.code : String(error);
  }
}

const paths = ['whole/state/db', 'part/db', 'file', 'other/a'];
process.stdout.write(JSON.stringify(Object.fromEntries(paths.map((path) => [path, contentOf(path)]))));
