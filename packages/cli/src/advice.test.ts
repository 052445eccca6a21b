import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMANDS } from './command-table.ts';

const PACKAGES = join(import.meta.dirname, '../..');

/**
 * A call as a text gives it: between backticks, after a colon, or in parentheses. A sentence about
 * the program is not a call.
 */
const CALL = /(?:`|[:] |\()bulkhead ((?:[a-z][a-z-]*|--[a-z-]+)(?: [^`'")\\\n]*)?)/g;

/** Answered by the dispatcher itself, for every command. */
const OWN_WORDS = ['help', '--help', '--version', '--profile'];

/** Names of processes in their own messages. */
const NAMES = ['agent', 'worker', 'renderer', 'is'];

interface Advice {
  readonly file: string;
  readonly words: readonly string[];
}

function adviceOf(file: string): readonly Advice[] {
  const text = readFileSync(join(PACKAGES, file), 'utf8');
  return [...text.matchAll(CALL)].map(([, call = '']) => ({ file, words: call.trim().split(/[\s,;.]+/) }));
}

/** @returns the part of a call that does not exist; undefined if all exists */
async function unknownIn({ words }: Advice): Promise<string | undefined> {
  const [command = '', ...rest] = words;
  if (OWN_WORDS.includes(command) || NAMES.includes(command)) return undefined;
  const entry = COMMANDS.find(({ name }) => name === command);
  if (entry === undefined) return command;
  const { verbs = [], options = {} } = await entry.load();
  const verb = rest.find((word) => !word.startsWith('-'));
  const isVerb = verb !== undefined && /^[a-z][a-z-]+$/.test(verb);
  if (isVerb && verbs.length > 0 && !verbs.includes(verb)) return `${command} ${verb}`;
  const flags = rest.filter((word) => /^--[a-z]/.test(word)).map((word) => word.slice(2));
  const flag = flags.find((name) => !Object.hasOwn(options, name) && name !== 'help');
  return flag === undefined ? undefined : `${command} --${flag}`;
}

it('names only commands, verbs and options that exist, in every text of the product', async () => {
  const files = globSync('*/src/**/*.{ts,svelte}', { cwd: PACKAGES }).filter(
    (file) => !/\.test\.ts$|\/gen\//.test(file),
  );
  const found = files.flatMap(adviceOf);
  const unknown: string[] = [];
  for (const advice of found) {
    const what = await unknownIn(advice);
    if (what !== undefined) unknown.push(`${advice.file}: bulkhead ${what}`);
  }
  expect(unknown).toEqual([]);
  // A search that finds nothing would prove nothing.
  expect(found.length).toBeGreaterThan(60);
  expect(found.map(({ words }) => words.slice(0, 2).join(' '))).toContain('sessions accept-loss');
});

it('finds a command, a verb and an option that do not exist', async () => {
  const calls = ['mend now', 'sessions mend', 'start --nowhere', 'sessions accept-loss ID', 'start --daemon'];
  const found = await Promise.all(calls.map((call) => unknownIn({ file: '', words: call.split(' ') })));
  expect(found).toEqual(['mend', 'sessions mend', 'start --nowhere', undefined, undefined]);
});
