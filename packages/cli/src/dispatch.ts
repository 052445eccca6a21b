import { BulkheadError, describeError, inertText, PRODUCT_VERSION } from '@bulkhead/protocol';
import { nearest } from './arguments/nearest.ts';
import { notBuilt, parseArguments } from './arguments/parse-arguments.ts';
import type { Command } from './command.ts';
import { COMMANDS, ELSEWHERE, PLANNED_COMMANDS } from './command-table.ts';
import type { Environment } from './environment.ts';
import { EXIT, exitCodeOfError } from './exit-code.ts';

/**
 * Runs one command line.
 *
 * @param argv the arguments after `bulkhead`
 * @returns the exit code; every error is already printed on standard error in one line, or as a
 * JSON object with `--json`
 */
export async function dispatch(argv: readonly string[], environment: Environment): Promise<number> {
  try {
    return await runCommandLine(argv, environment);
  } catch (error) {
    const line = argv.includes('--json')
      ? errorAsJson(error)
      : `bulkhead: ${describeError(error).replaceAll(/\s*\n\s*/g, ' ')}`;
    environment.stderr.write(`${environment.stderr.isTTY ? inertText(line) : line}\n`);
    return exitCodeOfError(error);
  }
}

/** As the HTTP API returns it. */
function errorAsJson(error: unknown): string {
  const { code, message, fix } = BulkheadError.from(error);
  return JSON.stringify({ error: { code, message, ...(fix === undefined ? {} : { fix }) } });
}

async function runCommandLine(argv: readonly string[], environment: Environment): Promise<number> {
  const [word, ...rest] = argv;
  if (word === undefined) return startOrChat(environment);
  if (word === '--version' || word === '-V') {
    environment.stdout.write(`bulkhead ${PRODUCT_VERSION}\n`);
    return EXIT.completed;
  }
  if (word === 'help' || word === '--help' || word === '-h') return help(rest[0], environment);
  if (word.startsWith('-')) return leadingOptions(argv, environment);
  const command = await loadCommand(word);
  const args = parseArguments(`bulkhead ${word}`, command.options, rest);
  if (args.flag('help')) return help(word, environment);
  await checkProfile(args.value('profile'), environment);
  if (args.words.length > 0 && command.takesWords !== true) {
    throw new BulkheadError('usage', `\`${word}\` takes no arguments, but got "${args.words[0]}"`, {
      fix: `See \`bulkhead ${word} --help\`.`,
    });
  }
  return command.run(args, environment);
}

/** `bulkhead --profile NAME command …`: the only option that may come first. */
async function leadingOptions(argv: readonly string[], environment: Environment): Promise<number> {
  const [first = '', second] = argv;
  const taken = first === '--profile' && second !== undefined ? 2 : 1;
  if (taken === 2 || first.startsWith('--profile=')) {
    const args = parseArguments('bulkhead', {}, argv.slice(0, taken));
    await checkProfile(args.value('profile'), environment);
    return runCommandLine(argv.slice(taken), environment);
  }
  const near = nearest(first, ['--help', '--version', '--profile']);
  const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
  throw new BulkheadError('usage', `unknown option ${first} before a command${hint}`, {
    fix: 'See `bulkhead help`.',
  });
}

/**
 * An engine works with one profile. Working with an unintended profile would be worse than failing.
 */
async function checkProfile(name: string | undefined, environment: Environment): Promise<void> {
  if (name !== undefined)
    (await import('./profile/refuse-other-profile.ts')).refuseOtherProfile(name, environment);
}

async function loadCommand(word: string): Promise<Command> {
  const entry = COMMANDS.find(({ name }) => name === word);
  if (entry !== undefined) return entry.load();
  if (PLANNED_COMMANDS.includes(word)) throw notBuilt(`bulkhead ${word}`);
  const fix = Object.hasOwn(ELSEWHERE, word) ? ELSEWHERE[word] : undefined;
  if (fix !== undefined) throw new BulkheadError('usage', `there is no command "${word}"`, { fix });
  const near = nearest(word, [...COMMANDS.map(({ name }) => name), 'help']);
  const hint = near === undefined ? '' : ` (did you mean "${near}"?)`;
  throw new BulkheadError('usage', `unknown command "${word}"${hint}`, { fix: 'See `bulkhead help`.' });
}

async function help(word: string | undefined, environment: Environment): Promise<number> {
  const { overview, commandHelp } = await import('./output/help-text.ts');
  const name = word === undefined || word.startsWith('-') || word === 'help' ? undefined : word;
  environment.stdout.write(name === undefined ? overview() : commandHelp(name, await loadCommand(name)));
  return EXIT.completed;
}

async function startOrChat(environment: Environment): Promise<number> {
  const terminal = environment.stdin.isTTY === true && environment.stdout.isTTY === true;
  const word = terminal ? 'chat' : 'start';
  const command = await loadCommand(word);
  return command.run(
    parseArguments(`bulkhead ${word}`, command.options, terminal ? [] : ['--join']),
    environment,
  );
}
