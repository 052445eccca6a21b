import { existsSync } from 'node:fs';
import { eachEntry } from './each-entry.ts';

/**
 * Members of an entry are in order (RFC 8785): `action` is first, `session` comes after texts with
 * any content.
 */
const ACTION = '\0{"action":"';

/**
 * Returns the ids of all actions in the log. Reads it once, and parses nothing. @returns none
 * without a log
 */
export function actionIds(folder: string, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  return collect(folder, actionOf, signal);
}

/** Returns the ids of all sessions in the log. Reads and parses it once. */
export function sessionIds(folder: string, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  return collect(folder, sessionOf, signal);
}

async function collect(
  folder: string,
  idOf: (line: Buffer) => string,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  if (!existsSync(folder)) return ids;
  const visit = (line: Buffer): boolean => {
    const id = idOf(line);
    if (id !== '') ids.add(id);
    return true;
  };
  await eachEntry(folder, visit, signal);
  return ids;
}

function actionOf(line: Buffer): string {
  if (line.toString('latin1', 0, ACTION.length) !== ACTION) return '';
  const end = line.indexOf('"', ACTION.length);
  return end < 0 ? '' : line.toString('utf8', ACTION.length, end);
}

/** An invalid entry has no session: readers of its content report it. */
function sessionOf(line: Buffer): string {
  try {
    const { session }: { readonly session?: unknown } = JSON.parse(line.toString('utf8', 1));
    return typeof session === 'string' ? session : '';
  } catch {
    return '';
  }
}
