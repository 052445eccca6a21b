import type { SearchHit, SessionSummary } from '@bulkhead/protocol/client';
import type { Choice } from '../panels/picker.ts';

/** Sessions to go on with, newest first. @param now milliseconds since the epoch */
export function sessionChoices(sessions: readonly SessionSummary[], now: number): readonly Choice[] {
  return sessions
    .filter(({ damage }) => damage === '')
    .map(({ sessionId, title, updatedAt, messages, workingFolder, offTheRecord }) => ({
      value: sessionId,
      label: title === '' ? `(no title yet, ${messages} messages)` : title,
      about: [
        ago(updatedAt, now),
        workingFolder,
        sessionId,
        ...(offTheRecord ? ['off the record'] : []),
      ].join(' · '),
    }));
}

/** Sessions in which something was found, each once. */
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
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return `${Math.round(minutes / 1_440)} days ago`;
}
