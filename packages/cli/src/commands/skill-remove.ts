import { BulkheadError } from '@bulkhead/protocol';
import type { SkillSummary } from '@bulkhead/protocol/client';
import { nearest } from '../arguments/nearest.ts';
import { confirm } from '../conversation/confirm.ts';
import { hasPerson } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import type { SkillCall, SkillVerb } from './skill-verb.ts';

/** `skill remove NAME [--global] [--yes]`: refuses before any question if removal is impossible. */
export const removeSkill: SkillVerb = async (call) => {
  const { client, word, args, environment, stdout, stderr } = call;
  const global = args.flag('global');
  const { skills } = await client.call('listSkills', { workingFolder: environment.cwd });
  refuseUnremovable(word, global, skills);
  if (!(args.flag('yes') || (await agreed(call)))) {
    stderr.line('nothing was removed');
    return EXIT.blocked;
  }
  const { removed } = await client.call('removeSkill', { name: word, global });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ name: word, removed })}\n`);
  else stdout.line(`${stdout.safeLine(word)} ${removed ? 'is removed' : 'was already removed'}`);
  return EXIT.completed;
};

/**
 * @throws BulkheadError `not_found` for an unknown skill; `usage` for one in another place than
 * `remove` handles
 */
function refuseUnremovable(name: string, global: boolean, skills: readonly SkillSummary[]): void {
  const origins = skills.filter((skill) => skill.name === name).map(({ origin }) => origin);
  if (origins.includes(global ? 'global' : 'profile')) return;
  if (origins.length === 0) {
    const near = nearest(
      name,
      skills.map((skill) => skill.name),
    );
    throw new BulkheadError(
      'not_found',
      `there is no skill "${name}"${near === undefined ? '' : ` (did you mean "${near}"?)`}`,
      { fix: 'See `bulkhead skill list`.' },
    );
  }
  const [origin = ''] = origins;
  throw new BulkheadError('usage', `skill "${name}" ${WHERE[origin] ?? `is of ${origin}`}`, {
    fix: FIXES[origin] ?? 'See `bulkhead skill list`.',
  });
}

const WHERE: Readonly<Record<string, string>> = {
  'built-in': 'came with the product and can not be removed',
  global: 'is installed for all profiles',
  profile: 'is installed for this profile alone',
  folder: 'belongs to this folder',
};
const FIXES: Readonly<Record<string, string>> = {
  'built-in': 'One of your own with the same name hides it: `bulkhead skill new NAME`.',
  global: 'Remove it there with --global.',
  profile: 'Leave out --global.',
  folder: 'Remove it from .bulkhead/skills with any tool.',
};

/** `skill new NAME [--global]` */
export const newSkill: SkillVerb = async ({ client, word, args, stdout, stderr }) => {
  const { location } = await client.call('createSkill', { name: word, global: args.flag('global') });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ name: word, location })}\n`);
  else {
    stdout.line(stdout.safeLine(location));
    stderr.line(`Write it, then trust it: bulkhead skill pin ${stderr.safeLine(word)}`);
  }
  return EXIT.completed;
};

async function agreed({ word, args, environment, stderr }: SkillCall): Promise<boolean> {
  if (args.flag('json') || !hasPerson(environment)) {
    stderr.line('there is no terminal to ask on: add --yes');
    return false;
  }
  return await confirm(environment, `Remove skill ${stderr.safeLine(word)} permanently?`);
}
