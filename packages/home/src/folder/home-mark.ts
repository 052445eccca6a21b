import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { HomeLayout } from '@bulkhead/protocol';

/** Longer files are not this engine's. */
const MAX_BYTES = 16_384;

/**
 * The mark of a complete home. Its form may change with the version; its existence means the same
 * in all.
 */
export function markText(id: string): string {
  return `${JSON.stringify({ version: 1, id })}\n`;
}

/**
 * @returns the unique id of this home; undefined if none is complete there, or an earlier version
 *   made it
 */
export function readHomeId({ mark }: Pick<HomeLayout, 'mark'>): string | undefined {
  const { id } = fieldsOf(readSmall(mark) ?? '');
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/**
 * The fields of an object in JSON. For clients too, which load no schemas. @returns none for
 * anything else
 */
export function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** @returns undefined if there is no such file. An empty text for one that can't be read, is too long, or no file */
export function readSmall(path: string): string | undefined {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? undefined : '';
  }
  try {
    const stat = fstatSync(descriptor);
    return stat.isFile() && stat.size <= MAX_BYTES ? readFileSync(descriptor, 'utf8') : '';
  } catch {
    return '';
  } finally {
    closeSync(descriptor);
  }
}
