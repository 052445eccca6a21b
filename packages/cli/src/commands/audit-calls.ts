import type { EngineClient } from '@bulkhead/client';
import type { ListedEntry } from '@bulkhead/engine/offline/audit';
import { briefArguments, parseEvent } from '@bulkhead/protocol/transcript';

/** Sessions searched for one list. */
const MAX_SESSIONS = 20;

/** The call an entry belongs to; empty if the entry names none. */
export function callOf({ session, details }: Pick<ListedEntry, 'session' | 'details'>): string {
  const known: Readonly<Record<string, unknown>> =
    typeof details === 'object' && details !== null ? { ...details } : {};
  const { run, call } = known;
  return typeof run === 'string' && typeof call === 'string' ? keyOf(session, run, call) : '';
}

/**
 * Describes the call of each entry in one line. The audit log has names and sizes only, never the
 * arguments: those come from the sessions' logs, if they still exist.
 */
export async function describeCalls(
  client: EngineClient,
  entries: readonly ListedEntry[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(entries.map(callOf).filter((key) => key !== ''));
  const sessions = new Set(entries.filter((entry) => callOf(entry) !== '').map(({ session }) => session));
  const described = new Map<string, string>();
  for (const session of [...sessions].slice(-MAX_SESSIONS)) {
    try {
      await describeSession(client, session, wanted, described, signal);
    } catch {
      // Off the record, or deleted: no log has it.
      signal.throwIfAborted();
    }
  }
  return described;
}

async function describeSession(
  client: EngineClient,
  sessionId: string,
  wanted: ReadonlySet<string>,
  described: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  for await (const { json } of client.stream('watch', { sessionId, afterSeq: 0, follow: false }, signal)) {
    const event = parseEvent(json);
    if (event?.type !== 'tool_call') continue;
    const key = keyOf(sessionId, event.turn, event.call);
    if (wanted.has(key)) described.set(key, briefArguments(event.arguments));
  }
}

function keyOf(session: string, run: string, call: string): string {
  return JSON.stringify([session, run, call]);
}
