import type { SearchHit, SessionSummary } from '@bulkhead/protocol/client';
import type { Choice } from '../panels/picker.ts';

interface SessionFacts {
  /** First words of sessions without a title, by id. */
  readonly words: ReadonlyMap<string, string>;
  /** The current session. */
  readonly current: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Sessions to continue, newest first: those with messages or a name, and the current one. */
export function sessionChoices(
  sessions: readonly SessionSummary[],
  { words, current, now }: SessionFacts,
): readonly Choice[] {
  return sessions
    .filter(({ damage }) => damage === '')
    .filter(({ title, messages, sessionId }) => title !== '' || messages > 0 || sessionId === current)
    .map(({ sessionId, title, updatedAt, messages, workingFolder, offTheRecord, loss }) => ({
      value: sessionId,
      label:
        title || words.get(sessionId) || (messages === 0 ? '(no messages yet)' : `(${messages} messages)`),
      about: [
        // First, because a narrow screen cuts off the end.
        ...(loss === '' ? [] : ['read-only: lost records']),
        ...(sessionId === current ? ['current'] : []),
        ago(updatedAt, now),
        workingFolder,
        sessionId,
        ...(offTheRecord ? ['off the record'] : []),
      ].join(' · '),
    }));
}

/** Sessions with matches, without duplicates. */
export function hitChoices(hits: readonly SearchHit[]): readonly Choice[] {
  const first = new Map<string, SearchHit>();
  for (const hit of hits) if (!first.has(hit.sessionId)) first.set(hit.sessionId, hit);
  return [...first.values()].map(({ sessionId, title, snippet }) => ({
    value: sessionId,
    label: title === '' ? sessionId : title,
    about: snippet,
  }));
}

/** @param time RFC 3339 */
function ago(time: string, now: number): string {
  const minutes = Math.max(0, Math.round((now - Date.parse(time)) / 60_000));
  if (!Number.isFinite(minutes)) return '';
  if (minutes === 0) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return `${Math.round(minutes / 1_440)} days ago`;
}
