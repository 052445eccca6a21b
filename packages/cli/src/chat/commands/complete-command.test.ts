import { expect, it } from 'vitest';
import { CHAT_COMMANDS } from './chat-commands.ts';
import { completeCommand } from './complete-command.ts';

const templates = async () => ['fix-it', 'title', 'cost'];

it.each([
  ['/th', ['/thinking']],
  ['/se', ['/sessions', '/session ']],
  ['/title', ['/title ']],
  ['/fi', ['/fix-it ']],
  ['/cos', ['/cost']],
  ['/fix-', ['/fix-it ']],
  ['/title a', []],
  ['hel', []],
  ['/x', []],
])('completes %j, by commands first and by templates', async (line, found) => {
  expect(await completeCommand(line, CHAT_COMMANDS, templates)).toEqual([found, line]);
});

it('asks for templates only where one could be meant, and does without them if they fail or are late', async () => {
  let asked = 0;
  const failing = async () => {
    asked++;
    throw new Error('gone');
  };
  expect(await completeCommand('a /path', CHAT_COMMANDS, failing)).toEqual([[], 'a /path']);
  expect(asked).toBe(0);
  expect(await completeCommand('/th', CHAT_COMMANDS, failing)).toEqual([['/thinking'], '/th']);
  const late = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  expect(await completeCommand('/th', CHAT_COMMANDS, late)).toEqual([['/thinking'], '/th']);
});

it('has names and aliases that differ, in the form that is recognised', () => {
  const words = CHAT_COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(new Set(words).size).toBe(words.length);
  for (const word of words) expect(word).toMatch(/^([a-z]+|\?)$/);
});
