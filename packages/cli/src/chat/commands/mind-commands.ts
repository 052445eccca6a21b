import { sayWhile } from '../../conversation/rollback-progress.ts';
import type { ChatCommand, ChatSeat } from './chat-command.ts';
import { compactChat } from './compact.ts';
import { chatMemory } from './memory.ts';
import { listPins, pin, unpin } from './pins.ts';
import { showSkills } from './skills.ts';

export const compactCommand: ChatCommand = {
  name: 'compact',
  argument: '[FOCUS]',
  about: 'make what the model sees of this session shorter; FOCUS is kept above all',
  run: async (focus, { link, sessionId, output, signal }) => {
    const work = link.once((client) => compactChat(client, sessionId, focus, signal));
    const lines = await sayWhile(work, 'making the conversation shorter', (line) => output.line(line));
    say({ output }, lines);
  },
};

export const pinCommand: ChatCommand = {
  name: 'pin',
  argument: '[TEXT]',
  about: 'pin a rule: it stays word for word, whatever is summarised',
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
  about: 'take a pinned rule away',
  needs: 'the number of a rule, see /pins',
  run: async (number, seat) =>
    say(seat, await seat.link.once((client) => unpin(client, seat.sessionId, number, seat.signal))),
};

export const memoryCommand: ChatCommand = {
  name: 'memory',
  argument: '[QUERY]',
  about: 'search what is remembered; without words, list its files',
  run: (query, { link, output, signal }) => chatMemory(link, query, output, signal),
};

export const skillsCommand: ChatCommand = {
  name: 'skills',
  about: 'list skills and templates; /NAME words sends what a template makes of the words',
  run: (_argument, { link, folder, output, taken, signal }) =>
    link.repeat((client) => showSkills(client, folder, output, taken), signal),
};

function say({ output }: Pick<ChatSeat, 'output'>, lines: readonly string[]): void {
  for (const line of lines) output.line(output.safeLine(line));
}
