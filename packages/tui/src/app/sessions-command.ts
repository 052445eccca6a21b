import { firstWords } from '@bulkhead/client';
import type { SearchHit, SessionSummary } from '@bulkhead/protocol/client';
import type { Choice } from '../panels/picker.ts';
import type { UiActions } from './ui-actions.ts';
import type { UiCommand } from './ui-options.ts';

const LISTED = 200;
const FOUND = 20;
/** A shorter query would match everything. */
const SHORTEST = 3;

/** `/sessions`, Ctrl-R: the newest sessions; typed text searches titles and messages. */
export function sessionsCommand(ui: UiActions): UiCommand {
  return {
    name: 'sessions',
    about: 'switch to another session; type to search',
    run: async (_argument, { signal }) => {
      const { link, clock } = ui.options;
      const { sessions } = await link.repeat(
        (client) => client.call('listSessions', { limit: LISTED }, signal),
        signal,
      );
      const words = await link.repeat((client) => firstWords(client, sessions, signal), signal);
      const facts = { words, current: ui.sessionId, now: clock.now() };
      const choices = sessionChoices(sessions, facts);
      if (choices.length === 0) return ui.say('there is no other session yet');
      ui.pick({
        title: 'Switch to',
        choices,
        start: choices.findIndex(({ value }) => value === ui.sessionId),
        keys: [{ key: 'ctrl+n', about: 'new session', run: () => ui.open(undefined) }],
        find: (text, found) => {
          if (text.trim().length < SHORTEST) return;
          link
            .repeat(
              (client) => client.call('searchSessions', { query: text.trim(), limit: FOUND }, ui.signal),
              ui.signal,
            )
            // A text that can't be searched for has no matches; titles remain listed.
            .then(
              ({ hits }) => found(hitChoices(hits)),
              () => undefined,
            );
        },
        onPick: ({ value }) => ui.open(value),
      });
    },
  };
}

interface SessionFacts {
  /** First words of sessions without a title, by id. */
  readonly words: ReadonlyMap<string, string>;
  /** The current session. */
  readonly current: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Sessions to continue, newest first: those with messages or a name, and the current one. */
function sessionChoices(
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
function hitChoices(hits: readonly SearchHit[]): readonly Choice[] {
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
