import { firstWords } from '@bulkhead/client';
import { hitChoices, sessionChoices } from './session-choices.ts';
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
