import { sayWhile } from '../../conversation/rollback-progress.ts';
import type { ChatCommand, ChatSeat } from './chat-command.ts';
import { compactChat } from './compact.ts';
import { chatMemory } from './memory.ts';
import { listPins, pin, unpin } from './pins.ts';
import { showSkills } from './skills.ts';

export const compactCommand: ChatCommand = {
  name: 'compact',
  argument: '[FOCUS]',
  about: 'compact the conversation; keeps FOCUS above all',
  run: async (focus, { link, sessionId, output, signal }) => {
    const work = link.once((client) => compactChat(client, sessionId, focus, signal));
    const lines = await sayWhile(work, 'compacting the conversation', (line) => output.line(line));
    say({ output }, lines);
  },
};

export const pinCommand: ChatCommand = {
  name: 'pin',
  argument: '[TEXT]',
  about: 'pin a rule that the model always receives word for word',
  run: async (rule, seat) =>
    say(seat, await seat.link.once((client) => pin(client, seat.sessionId, rule, seat.signal))),
};

export const pinsCommand: ChatCommand = {
  name: 'pins',
  about: 'list the pinned rules',
  run: async (_argument, seat) => {
    const list = () =>
      seat.link.repeat((client) => listPins(client, seat.sessionId, seat.signal), seat.signal);
    say(seat, await list());
  },
};

export const unpinCommand: ChatCommand = {
  name: 'unpin',
  argument: 'N',
  about: 'remove a pinned rule',
  needs: 'the number of a rule, see /pins',
  run: async (number, seat) =>
    say(seat, await seat.link.once((client) => unpin(client, seat.sessionId, number, seat.signal))),
};

export const memoryCommand: ChatCommand = {
  name: 'memory',
  argument: '[QUERY]',
  about: 'search memory; without words, list its files',
  run: (query, { link, output, signal }) => chatMemory(link, query, output, signal),
};

export const skillsCommand: ChatCommand = {
  name: 'skills',
  about: 'list skills and templates; /NAME WORDS sends a template with the words',
  run: (_argument, { link, folder, output, taken, signal }) =>
    link.repeat((client) => showSkills(client, folder, output, taken), signal),
};

function say({ output }: Pick<ChatSeat, 'output'>, lines: readonly string[]): void {
  for (const line of lines) output.line(output.safeLine(line));
}
