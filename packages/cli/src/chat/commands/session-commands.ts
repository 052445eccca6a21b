import { type ChatCommand, firstWord } from './chat-command.ts';
import { printSessions } from './session-facts.ts';

export const newCommand: ChatCommand = {
  name: 'new',
  about: 'start a new session',
  run: (_argument, seat) => seat.open(undefined),
};

export const forkCommand: ChatCommand = {
  name: 'fork',
  argument: '[ENTRY]',
  about: 'fork this session, here or at an earlier entry',
  run: async (argument, seat) => {
    const request = { sessionId: seat.sessionId, entryId: firstWord(argument) };
    await seat.open(
      await seat.link.once(async (client) => (await client.call('forkSession', request)).sessionId),
    );
  },
};

export const titleCommand: ChatCommand = {
  name: 'title',
  argument: 'TEXT',
  about: 'name this session',
  needs: 'a text',
  run: async (title, { link, sessionId, signal }) => {
    await link.repeat((client) => client.call('setTitle', { sessionId, title }), signal);
  },
};

export const sessionsCommand: ChatCommand = {
  name: 'sessions',
  about: 'list the sessions',
  run: (_argument, { link, sessionId, output, signal }) =>
    link.repeat((client) => printSessions(client, sessionId, output, signal), signal),
};

export const sessionCommand: ChatCommand = {
  name: 'session',
  argument: 'ID',
  about: 'switch to another session',
  needs: 'an id, see /sessions',
  run: (argument, seat) => seat.open(firstWord(argument)),
};
