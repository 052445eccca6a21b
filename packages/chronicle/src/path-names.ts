import { pathFromBytes, pathFromText, pathText } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';

const HERE = '.';

/**
 * The names on the way to an object of a folder; none for the folder itself.
 *
 * @throws BulkheadError `invalid_arguments` for a path that could lead out of the folder
 */
export function namesOf(path: Uint8Array): readonly Buffer[] {
  const { absolute, names } = pathFromBytes(Buffer.from(path));
  if (absolute || names.some((name) => name.equals(Buffer.from('..')) || name.includes(0))) {
    throw new BulkheadError('invalid_arguments', `${pathText(path)} is no path below a folder`);
  }
  return names;
}

/** The one text of a path below a folder. */
export function textOf(names: readonly Buffer[]): string {
  if (names.length === 0) return HERE;
  return names.map((name) => pathText(name)).join('/');
}

/** What `textOf` wrote. */
export function namesOfText(text: string): readonly Buffer[] {
  return namesOf(pathFromText(text));
}
