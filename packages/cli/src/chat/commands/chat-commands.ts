import type { Output } from '../../output/output.ts';
import { costCommand, modelCommand, thinkingCommand, undoCommand } from './answer-commands.ts';
import type { ChatCommand } from './chat-command.ts';
import { contextCommand } from './context-command.ts';
import { nowCommand, queueCommand, unqueueCommand } from './message-commands.ts';
import {
  compactCommand,
  memoryCommand,
  pinCommand,
  pinsCommand,
  skillsCommand,
  unpinCommand,
} from './mind-commands.ts';
import {
  forkCommand,
  newCommand,
  sessionCommand,
  sessionsCommand,
  titleCommand,
} from './session-commands.ts';

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
