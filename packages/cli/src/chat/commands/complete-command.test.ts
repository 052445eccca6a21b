import { expect, it } from 'vitest';
import { CHAT_COMMANDS } from './chat-commands.ts';
import { completeCommand } from './complete-command.ts';

it.each([
  ['/th', ['/thinking']],
  ['/se', ['/sessions', '/session ']],
  ['/title', ['/title ']],
  ['/title a', []],
  ['hel', []],
  ['/x', []],
])('completes %j', (line, found) => {
  expect(completeCommand(line, CHAT_COMMANDS)).toEqual([found, line]);
});

it('has names and aliases that differ, in the form that is recognised', () => {
  const words = CHAT_COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(new Set(words).size).toBe(words.length);
  for (const word of words) expect(word).toMatch(/^([a-z]+|\?)$/);
});
