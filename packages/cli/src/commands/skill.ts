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
    about: 'skills that count here, those that others hide, and what could not be used',
    load: async () => (await import('./skill-list.ts')).listSkills,
  },
  show: {
    words: ['NAME'],
    about: 'what a skill is, asks for and holds, and its whole text',
    load: async () => (await import('./skill-list.ts')).showSkill,
  },
  install: {
    words: ['SOURCE'],
    usage: '[--global] [--yes --hash HASH]',
    about: [
      'shows what a folder, an archive (.tar, .tar.gz, .zip) or a git repository (https://, ssh://, git@HOST:…, each with',
      '#REF or #REF:FOLDER if you like) holds, asks, puts a copy into your profile and pins it:',
      'if a byte of it changes later, it counts as data until you pin it again',
    ],
    options: ['global', 'yes', 'hash'],
    load: async () => (await import('./skill-install.ts')).installSkill,
  },
  pin: {
    words: ['NAME'],
    usage: '[--global] [--yes --hash HASH]',
    about: 'lets a skill count that you put there by hand, or changed',
    options: ['global', 'yes', 'hash'],
    load: async () => (await import('./skill-install.ts')).pinSkill,
  },
  remove: {
    words: ['NAME'],
    usage: '[--global] [--yes]',
    about: 'takes an installed skill from the disk',
    options: ['global', 'yes'],
    load: async () => (await import('./skill-remove.ts')).removeSkill,
  },
  new: {
    words: ['NAME'],
    usage: '[--global]',
    about: 'begins a skill of your own, to be filled in',
    options: ['global'],
    load: async () => (await import('./skill-remove.ts')).newSkill,
  },
};

export const skillCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Skills: instructions that are loaded when a task needs them.',
  details: [
    ...verbDetails(VERBS),
    '',
    'What a skill asks for (tools, hooks, things to install) is shown and never granted.',
    'Exit codes: 0 done, 3 you did not say yes.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    global: { about: 'for all profiles, in place of this one' },
    yes: { about: "don't ask; install and pin need --hash with it" },
    hash: { about: 'install, pin: only what has this hash', value: 'HASH' },
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
