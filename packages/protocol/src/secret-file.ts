import { foldName } from './fold-name.ts';
import { folderRefusal, pathRefusal } from './protected-names.ts';

/** Settings of a project that hold its credentials. Never keys, and nothing of a person's own. */
const NAMES = new Set(['.env', '.npmrc', '.pypirc', '.pgpass', '.my.cnf']);
const ENVIRONMENT_FILE = /^\.env\./;

/**
 * True for a file of the working folder that a person may show to one command. Pure: judges names
 * only. Commands see every such file as an empty one otherwise.
 *
 * @param path below the working folder
 */
export function isSecretFile(path: string): boolean {
  const names = path.split('/');
  const last = names.at(-1) ?? '';
  if (names.some((name) => name === '' || name === '.' || name === '..' || name.includes('\0'))) return false;
  // One spelling only: a folded one is another file.
  if (foldName(last) !== last || !(NAMES.has(last) || ENVIRONMENT_FILE.test(last))) return false;
  const above = names.slice(0, -1);
  return (
    above.every((name) => folderRefusal(name, 'write') === undefined) &&
    pathRefusal([last], 'read') !== undefined
  );
}
