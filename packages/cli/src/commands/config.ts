import { BulkheadError } from '@bulkhead/protocol';
import { nearest } from '../arguments/nearest.ts';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';

type Verb = (words: readonly string[], args: ParsedArguments, environment: Environment) => Promise<void>;

const VERBS: Readonly<Record<string, () => Promise<Verb>>> = {
  get: async () => (await import('./config-get.ts')).getSettings,
  set: async () => (await import('./config-set.ts')).setSettings,
  unset: async () => (await import('./config-set.ts')).unsetSetting,
  secret: async () => (await import('./config-secret.ts')).secret,
  schema: async () => (await import('./config-get.ts')).printSchema,
};

export const configCommand: Command = {
  usage: 'get [KEY] | set KEY VALUE [KEY VALUE …] | unset KEY | secret [NAME [-]] | schema',
  about: 'Shows and changes config.yaml, and stores keys outside of it. Works with and without an engine.',
  details: [
    'get           shows values in effect and their sources; KEY may be a group',
    'set           changes all keys or none; rejects invalid values',
    'unset         removes a key, so that its default applies',
    'secret        lists the names of stored secrets, never their values',
    'secret NAME   stores one: asks for it without showing it, or reads standard input with -',
    'schema        the JSON Schema of config.yaml',
    '',
    'Keys are dotted: limits.maxRounds, models.fallback.0.model. Values are YAML in one line:',
    "  bulkhead config set models.chat '{ provider: anthropic, model: claude-sonnet-5-5 }'",
    'A change of config.yaml takes effect at the next start of the engine, a secret immediately.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: { ...JSON_OPTION, remove: { about: 'with secret NAME: remove it' } },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const [word = 'get', ...words] = args.words;
  const load = Object.hasOwn(VERBS, word) ? VERBS[word] : undefined;
  if (load === undefined) {
    const near = nearest(word, Object.keys(VERBS));
    throw usage(`unknown: config ${word}${near === undefined ? '' : ` (did you mean "${near}"?)`}`);
  }
  if (args.flag('remove') && word !== 'secret') throw usage('--remove only applies to `config secret NAME`');
  const verb = await load();
  await verb(words, args, environment);
  return EXIT.completed;
}

function usage(message: string): BulkheadError {
  return new BulkheadError('usage', message, { fix: 'See `bulkhead config --help`.' });
}
