import type { ChatCommand } from './chat-command.ts';

/**
 * What Tab offers for a line that begins like a command; nothing once its name is complete and a space follows.
 *
 * @param line as typed so far
 * @returns the ways to go on, and the part of the line they stand for, as readline wants it
 */
export function completeCommand(
  line: string,
  commands: readonly Pick<ChatCommand, 'name' | 'argument'>[],
): [string[], string] {
  if (!/^\/[a-z]*$/.test(line)) return [[], line];
  const found = commands.filter(({ name }) => `/${name}`.startsWith(line));
  return [found.map(({ name, argument }) => `/${name}${argument === undefined ? '' : ' '}`), line];
}
