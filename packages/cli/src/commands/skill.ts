import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { chooseVerb, type VerbTable, verbDetails, verbUsage } from '../arguments/verb-table.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import type { SkillVerb } from './skill-verb.ts';

const VERBS: VerbTable<SkillVerb> = {
  list: {
    about: 'skills in use here, hidden ones, and those that could not be used',
    load: async () => (await import('./skill-list.ts')).listSkills,
  },
  show: {
    words: ['NAME'],
    about: 'shows a skill: its description, requests, files and whole text',
    load: async () => (await import('./skill-list.ts')).showSkill,
  },
  install: {
    words: ['SOURCE'],
    usage: '[--global] [--yes --hash HASH]',
    about: [
      'shows the skill of a folder, an archive (.tar, .tar.gz, .zip) or a git repository (https://, ssh://, git@HOST:…, each',
      'optionally with #REF or #REF:FOLDER), asks, copies it into your profile and pins it:',
      'after any change, the model treats it as data until you pin it again',
    ],
    options: ['global', 'yes', 'hash'],
    load: async () => (await import('./skill-install.ts')).installSkill,
  },
  pin: {
    words: ['NAME'],
    usage: '[--global] [--yes --hash HASH]',
    about: 'trusts a skill that you added by hand or changed',
    options: ['global', 'yes', 'hash'],
    load: async () => (await import('./skill-install.ts')).pinSkill,
  },
  remove: {
    words: ['NAME'],
    usage: '[--global] [--yes]',
    about: 'deletes an installed skill',
    options: ['global', 'yes'],
    load: async () => (await import('./skill-remove.ts')).removeSkill,
  },
  new: {
    words: ['NAME'],
    usage: '[--global]',
    about: 'creates a skill of your own, to be filled in',
    options: ['global'],
    load: async () => (await import('./skill-remove.ts')).newSkill,
  },
};

export const skillCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Manages skills: instructions that are loaded when a task needs them.',
  details: [
    ...verbDetails(VERBS),
    '',
    'Requests of a skill (tools, hooks, things to install) are shown and never granted.',
    'Exit codes: 0 done, 3 not confirmed.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    global: { about: 'for all profiles, in place of this one' },
    yes: { about: "don't ask; install and pin need --hash with it" },
    hash: { about: 'install, pin: only if it has this hash', value: 'HASH' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const { verb, words } = chooseVerb('skill', VERBS, skillCommand.options, args);
  const call = await verb.load();
  const stdout = new Output(environment.stdout, environment.env);
  const stderr = new Output(environment.stderr, environment.env);
  const { link } = await openEngine(homeOf(environment), environment, {
    signal: new AbortController().signal,
  });
  using _link = link;
  return await link.once((client) =>
    call({ client, word: words[0] ?? '', args, environment, stdout, stderr }),
  );
}
