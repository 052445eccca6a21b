import { contextLines } from '../../context/context-lines.ts';
import type { Output } from '../../output/output.ts';
import { costCommand, modelCommand, thinkingCommand, undoCommand } from './answer-commands.ts';
import { type ChatCommand, firstWord } from './chat-command.ts';
import {
  compactCommand,
  memoryCommand,
  pinCommand,
  pinsCommand,
  skillsCommand,
  unpinCommand,
} from './mind-commands.ts';
import { printSessions } from './session-facts.ts';
import { takeBack } from './take-back.ts';
import { trustCommand } from './trust-command.ts';

const contextCommand: ChatCommand = {
  name: 'context',
  about: 'show the tokens of the next request by section, cached and fresh',
  run: async (_argument, { link, sessionId, output, signal }) => {
    const context = await link.repeat((client) => client.call('readContext', { sessionId }, signal), signal);
    for (const line of contextLines(context, output)) output.line(line);
  },
};

const queueCommand: ChatCommand = {
  name: 'queue',
  argument: 'TEXT',
  about: 'send a message after the run; Alt-Enter does too',
  needs: 'a message',
  run: (text, seat) => seat.send(text, 'queue'),
};

const unqueueCommand: ChatCommand = {
  name: 'unqueue',
  about: 'withdraw your last queued message',
  run: (_argument, { link, queue, output, signal }) => takeBack(link, queue, output, signal),
};

const nowCommand: ChatCommand = {
  name: 'now',
  argument: 'TEXT',
  about: 'cancel the run and send a message',
  needs: 'a message',
  run: (text, seat) => seat.send(text, 'now'),
};

const newCommand: ChatCommand = {
  name: 'new',
  aliases: ['clear'],
  about: 'start a new session',
  run: (_argument, seat) => seat.open(undefined),
};

const forkCommand: ChatCommand = {
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

const titleCommand: ChatCommand = {
  name: 'title',
  argument: 'TEXT',
  about: 'name this session',
  needs: 'a text',
  run: async (title, { link, sessionId, signal }) => {
    await link.repeat((client) => client.call('setTitle', { sessionId, title }), signal);
  },
};

const sessionsCommand: ChatCommand = {
  name: 'sessions',
  about: 'list the sessions',
  run: (_argument, { link, sessionId, output, signal }) =>
    link.repeat((client) => printSessions(client, sessionId, output, signal), signal),
};

const sessionCommand: ChatCommand = {
  name: 'session',
  argument: 'ID',
  about: 'switch to another session',
  needs: 'an id, see /sessions',
  run: (argument, seat) => seat.open(firstWord(argument)),
};

const helpCommand: ChatCommand = {
  name: 'help',
  aliases: ['?'],
  about: 'show this',
  run: (_argument, { output }) => printHelp(output),
};

const quitCommand: ChatCommand = {
  name: 'quit',
  aliases: ['exit'],
  about: 'exit; Ctrl-D does too',
  run: (_argument, seat) => seat.leave(),
};

/** Every command of the chat, in the order of its help: add new commands here. */
export const CHAT_COMMANDS: readonly ChatCommand[] = [
  helpCommand,
  queueCommand,
  unqueueCommand,
  nowCommand,
  newCommand,
  forkCommand,
  titleCommand,
  undoCommand,
  trustCommand,
  costCommand,
  contextCommand,
  compactCommand,
  pinCommand,
  pinsCommand,
  unpinCommand,
  memoryCommand,
  skillsCommand,
  sessionsCommand,
  sessionCommand,
  modelCommand,
  thinkingCommand,
  quitCommand,
];

/** Names and aliases of the commands. */
export const COMMAND_NAMES: ReadonlySet<string> = new Set(
  CHAT_COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
);

function printHelp(output: Output): void {
  for (const { name, argument, about } of CHAT_COMMANDS) {
    const usage = argument === undefined ? `/${name}` : `/${name} ${argument}`;
    output.line(`  ${usage.padEnd(24)}  ${about}`);
  }
  output.line('  A message entered during a run joins it at its next step.');
  output.line('  Ctrl-C cancels the run; when idle, twice exits.');
}
