import { FETCHING } from './fetching-commands.ts';

/** Words that a shell passes on as they are: no quotes, expansions, operators or comments. */
const PLAIN = /^[A-Za-z0-9@%_+:,./^=-]+(?: +[A-Za-z0-9@%_+:,./^=-]+)*$/;

/** How git names a transport program: `ext::sh`. */
const TRANSPORT = '::';

/**
 * Program and subcommand of a command that fetches packages or a repository, as `npm install`: what a
 * grant for all its uses is bound to. Only one straight command counts, with options of a fixed list:
 * spelled out, since these programs also accept abbreviations (`--upload-pac`) and joined flags (`-qu`).
 * The program is named without a path and its place is that of the box's fixed PATH, so no file of the
 * folder, alias, function or variable can stand in for it. Files that the program itself looks for in the
 * folder (`.npmrc`, install scripts, hooks) count as its own.
 *
 * @returns undefined for any other command: a grant is then bound to its exact text
 */
export function fetchingPattern(command: string): string | undefined {
  const line = command.trim();
  if (!PLAIN.test(line)) return undefined;
  const [program = '', ...words] = line.split(/ +/);
  const known = Object.hasOwn(FETCHING, program) ? Object.entries(FETCHING[program] ?? {}) : [];
  const said = words.join(' ');
  const [verb, options = ''] = known.find(([one]) => said === one || said.startsWith(`${one} `)) ?? [];
  if (verb === undefined) return undefined;
  const admitted = options.split(' ');
  const isAdmitted = (word: string) =>
    admitted.includes(word) ||
    (word.includes('=') && admitted.includes(word.slice(0, word.indexOf('=') + 1)));
  const isFree = words.every((word) => !word.startsWith('-') || isAdmitted(word));
  if (!isFree || (program === 'git' && said.includes(TRANSPORT))) return undefined;
  return `${program} ${verb === 'i' ? 'install' : verb}`;
}
