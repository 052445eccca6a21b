import { pathFromBytes, pathFromText, pathText } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';

const HERE = '.';

/**
 * The components of a path in a folder; none for the folder itself.
 *
 * @throws BulkheadError `invalid_arguments` for a path that could point outside the folder
 */
export function namesOf(path: Uint8Array): readonly Buffer[] {
  const { absolute, names } = pathFromBytes(Buffer.from(path));
  if (absolute || names.some((name) => name.equals(Buffer.from('..')) || name.includes(0))) {
    throw new BulkheadError('invalid_arguments', `${pathText(path)} is no path below a folder`);
  }
  return names;
}

/** The canonical text of a path below a folder. */
export function textOf(names: readonly Buffer[]): string {
  if (names.length === 0) return HERE;
  return names.map((name) => pathText(name)).join('/');
}

/** Parses the output of `textOf`. */
export function namesOfText(text: string): readonly Buffer[] {
  return namesOf(pathFromText(text));
}
