import { BulkheadError } from '@bulkhead/protocol';
import { nameFromShown } from './shown-name.ts';

const SLASH = 0x2f;

export interface PathComponents {
  readonly absolute: boolean;
  /** Without empty ones and `.`, but with `..`: that one means something only while walking. */
  readonly names: readonly Buffer[];
  /** The same as text, as the path spelled them. */
  readonly spelled: readonly string[];
  /** True if the path can only mean a folder: it ends in `/`, `.` or `..`. */
  readonly folder: boolean;
}

/**
 * Splits a path as an argument gives it. `~`, `%2e` and `file:` are names like any other.
 * @throws BulkheadError `invalid_arguments` for NUL, an empty path and more than 4,096 bytes
 */
export function pathFromArgument(path: string): PathComponents {
  if (path.length === 0) throw invalid('the path is empty');
  if (Buffer.byteLength(path) > 4096) throw invalid('the path is longer than 4096 bytes');
  const parts = path.split('/');
  const spelled = parts.filter(meansSomething);
  const names = spelled.map(nameFromShown);
  if (names.some((name) => name.includes(0) || name.includes(SLASH)))
    throw invalid('the path has a NUL character');
  return { absolute: path.startsWith('/'), names, spelled, folder: endsAsFolder(parts.at(-1)) };
}

/** Splits bytes that the system gave: the target of a link, the name of a folder. */
export function pathFromBytes(path: Buffer): PathComponents {
  // latin1 keeps each byte as one character, so that text functions can split bytes.
  const parts = path.toString('latin1').split('/');
  const spelled = parts.filter(meansSomething);
  const names = spelled.map((part) => Buffer.from(part, 'latin1'));
  return { absolute: path[0] === SLASH, names, spelled, folder: endsAsFolder(parts.at(-1)) };
}

/** The rest of `names` below `prefix`, or undefined if it doesn't lie there. */
export function below(names: readonly Buffer[], prefix: readonly Buffer[]): readonly Buffer[] | undefined {
  const matches = prefix.every((part, index) => names[index]?.equals(part) === true);
  return matches ? names.slice(prefix.length) : undefined;
}

function meansSomething(part: string): boolean {
  return part !== '' && part !== '.';
}

function endsAsFolder(last: string | undefined): boolean {
  return last === undefined || last === '' || last === '.' || last === '..';
}

function invalid(message: string): BulkheadError {
  return new BulkheadError('invalid_arguments', message);
}
