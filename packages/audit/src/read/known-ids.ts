import { existsSync } from 'node:fs';
import { eachEntry } from './each-entry.ts';

/** Members of an entry are in order (RFC 8785): `action` comes first, `session` somewhere behind texts that may hold anything. */
const ACTION = '\0{"action":"';

/** Ids of all actions that the log tells of. Reads it once, and parses nothing. @returns none where there is no log */
export function actionIds(folder: string, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  return collect(folder, actionOf, signal);
}

/** Ids of all sessions that the log tells of. Reads and parses it once. */
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

/** What is no entry has no session: whoever reads it for its content says so. */
function sessionOf(line: Buffer): string {
  try {
    const { session }: { readonly session?: unknown } = JSON.parse(line.toString('utf8', 1));
    return typeof session === 'string' ? session : '';
  } catch {
    return '';
  }
}
