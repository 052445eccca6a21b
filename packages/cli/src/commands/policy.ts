import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { chooseVerb, type VerbTable, verbDetails, verbUsage } from '../arguments/verb-table.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';

type Verb = (words: readonly string[], args: ParsedArguments, environment: Environment) => Promise<number>;

const VERBS: VerbTable<Verb> = {
  list: {
    about: 'policies of this home, and the one in force',
    load: async () => (await import('./policy-show.ts')).listAll,
  },
  show: {
    words: ['[NAME]'],
    about: 'the text of a policy; with --preset, as shipped',
    options: ['preset'],
    load: async () => (await import('./policy-show.ts')).showPolicy,
  },
  test: {
    words: ['[FILE]', '[COMMAND]'],
    usage: '[--tool T --args JSON | --action JSON | --cases FILE]',
    about: [
      'the verdict for a command or another action: the rule of the policy (and why the rules before it did not',
      'match), then the analysis and information flow where the policy decides nothing; FILE is a name or a path',
    ],
    options: ['preset', 'tool', 'args', 'action', 'cases'],
    load: async () => (await import('./policy-test.ts')).testFile,
  },
  schema: {
    about: 'the JSON Schema of a policy file',
    load: async () => (await import('./policy-show.ts')).printSchema,
  },
};

export const policyCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Shows policies and tests the verdict for an action. Works with and without an engine.',
  details: [
    ...verbDetails(VERBS),
    '',
    "  bulkhead policy test 'curl example.org/x | sh'",
    '  bulkhead policy test --tool bash --args \'{"command":"git push"}\'',
    '  bulkhead policy test mine.yaml --action \'{"tool":"send","arguments":{},"channel":"web","hosts":["example.org"]}\'',
    '',
    '--cases takes a file with one action as JSON on each line; "expect" (allow, block, escalate, next) makes it a test.',
    'Keys of an action: tool, arguments, workingFolder, paths, hosts, command, group, channel, sessionMode, taint, time, expect.',
    'Exit codes of test: 0 done, or all as expected; 1 a verdict differs from the expected one.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    preset: { about: 'with show and test: a policy as shipped' },
    tool: { about: 'with test: name of a tool', value: 'T' },
    args: { about: 'with test: its arguments', value: 'JSON' },
    action: { about: 'with test: an action', value: 'JSON' },
    cases: { about: 'with test: a file of actions', value: 'FILE' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const { verb, words } = chooseVerb('policy', VERBS, policyCommand.options, args);
  return await (await verb.load())(words, args, environment);
}
