import { BulkheadError } from '@bulkhead/protocol';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';

type Verb = (words: readonly string[], args: ParsedArguments, environment: Environment) => Promise<number>;

const VERBS: Readonly<Record<string, () => Promise<Verb>>> = {
  list: async () => (await import('./policy-show.ts')).listAll,
  show: async () => (await import('./policy-show.ts')).showPolicy,
  schema: async () => (await import('./policy-show.ts')).printSchema,
  test: async () => (await import('./policy-test.ts')).testFile,
};

export const policyCommand: Command = {
  usage: 'list | show [NAME] | test [FILE] (--tool T --args JSON | --action JSON | --cases FILE) | schema',
  about: 'Shows policies, and tells what one would say about an action. Works with and without an engine.',
  details: [
    'list          policies of this home, and which is in force',
    'show [NAME]   the text of one; with --preset, as it came with the product',
    'test [FILE]   which rule decides about an action, and why those before it did not match; FILE is a name or a path',
    'schema        the JSON Schema of a policy file',
    '',
    '  bulkhead policy test --tool bash --args \'{"command":"git push"}\'',
    '  bulkhead policy test mine.yaml --action \'{"tool":"send","arguments":{},"channel":"web","hosts":["example.org"]}\'',
    '',
    '--cases takes a file with one action as JSON on each line; "expect" (allow, block, escalate, next) makes it a test.',
    'Keys of an action: tool, arguments, workingFolder, paths, hosts, command, group, channel, sessionMode, taint, time, expect.',
    'Exit codes of test: 0 said, or all as expected; 1 something else than expected.',
  ],
  takesWords: true,
  options: {
    ...JSON_OPTION,
    preset: { about: 'with show and test: a policy as it came with the product' },
    tool: { about: 'with test: name of a tool', value: 'T' },
    args: { about: 'with test: its arguments', value: 'JSON' },
    action: { about: 'with test: an action', value: 'JSON' },
    cases: { about: 'with test: a file of actions', value: 'FILE' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const [word = 'list', ...words] = args.words;
  const load = Object.hasOwn(VERBS, word) ? VERBS[word] : undefined;
  if (load === undefined || words.length > 1) {
    throw new BulkheadError('usage', `unknown: policy ${[word, ...words].join(' ')}`, {
      fix: 'See `bulkhead policy --help`.',
    });
  }
  return await (await load())(words, args, environment);
}
