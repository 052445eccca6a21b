import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { chooseVerb, type VerbTable, verbDetails, verbUsage } from '../arguments/verb-table.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { Output } from '../output/output.ts';
import type { ProfileVerb } from '../profile/profile-verb.ts';

const VERBS: VerbTable<ProfileVerb> = {
  list: {
    about: 'the profiles of this home, and which one is in use',
    load: async () => (await import('../profile/profile-list.ts')).listAll,
  },
  show: {
    words: ['[NAME]'],
    about: 'the folder and contents of a profile; without NAME, of the one in use',
    load: async () => (await import('../profile/profile-list.ts')).showOne,
  },
  create: {
    words: ['NAME'],
    usage: '[--from NAME]',
    about:
      'creates a profile; --from copies the texts of another (identity, guardrails, instructions), not its memory or skills',
    options: ['from'],
    load: async () => (await import('../profile/profile-change.ts')).create,
  },
  use: {
    words: ['NAME'],
    about: 'uses a profile from the next start of the engine',
    load: async () => (await import('../profile/profile-change.ts')).use,
  },
  delete: {
    words: ['NAME'],
    usage: '[--yes]',
    about: 'permanently deletes a profile with its memory and skills, after asking; never the one in use',
    options: ['yes'],
    load: async () => (await import('../profile/profile-delete.ts')).remove,
  },
};

export const profileCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Manages profiles: each has its own texts, memory and skills. One is in use at a time.',
  details: [
    ...verbDetails(VERBS),
    '',
    'All profiles share the sessions, policies, keys and global skills of the home.',
    'Exit codes: 0 done, 3 not confirmed.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    from: { about: 'create: copy the texts of this profile', value: 'NAME' },
    yes: { about: "delete: don't ask" },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const { verb, words } = chooseVerb('profile', VERBS, profileCommand.options, args);
  const call = await verb.load();
  const stdout = new Output(environment.stdout, environment.env);
  const stderr = new Output(environment.stderr, environment.env);
  return await call({ word: words[0] ?? '', args, environment, stdout, stderr });
}
