import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { BulkheadError } from '@bulkhead/protocol';
import { elfInterpreterOf } from './elf-interpreter.ts';

const LOADER_CACHE = '/etc/ld.so.cache';

/**
 * The files a Node binary must be able to read to start: itself, its ELF interpreter, its shared
 * libraries and the loader's cache. Named files, never folders: read access to a library folder
 * would let the interpreter run any file in it. Starts the interpreter once; callers keep the
 * result.
 * @param nodePath absolute path
 * @throws BulkheadError `sandbox_unavailable` if the binary cannot be understood
 */
export async function nodeRuntimeFiles(nodePath: string): Promise<string[]> {
  const interpreter = await elfInterpreterOf(nodePath);
  if (interpreter === undefined) return [nodePath];
  const listed = await promisify(execFile)(interpreter, ['--list', nodePath], { env: {} }).catch((cause) => {
    throw new BulkheadError(
      'sandbox_unavailable',
      `${interpreter} could not list the libraries of ${nodePath}`,
      {
        fix: 'Check that this Node runs on this machine',
        cause,
      },
    );
  });
  const cache = await stat(LOADER_CACHE).then(
    () => [LOADER_CACHE],
    () => [],
  );
  return [...new Set([nodePath, interpreter, ...listedLibraries(listed.stdout), ...cache])];
}

/**
 * The paths in a loader's `--list`; an unresolved line has none, and Node would not have started.
 */
export function listedLibraries(list: string): string[] {
  return [...list.matchAll(/=> (\/\S.*?) \(0x[0-9a-f]+\)$/gm)].flatMap((match) => match[1] ?? []);
}
