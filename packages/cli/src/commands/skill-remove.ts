import { askOnTerminal } from '../conversation/ask-on-terminal.ts';
import { yesOrNo } from '../conversation/yes-or-no.ts';
import { hasPerson } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import type { SkillCall, SkillVerb } from './skill-verb.ts';

/** `skill remove NAME [--global] [--yes]` */
export const removeSkill: SkillVerb = async (call) => {
  const { client, word, args, stdout, stderr } = call;
  if (!(args.flag('yes') || (await agreed(call)))) {
    stderr.line('nothing was removed');
    return EXIT.blocked;
  }
  const removed = await client.removeSkill({ name: word, global: args.flag('global') });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ name: word, removed })}\n`);
  else stdout.line(`${stdout.safeLine(word)} ${removed ? 'is removed' : 'was not there'}`);
  return EXIT.completed;
};

/** `skill new NAME [--global]` */
export const newSkill: SkillVerb = async ({ client, word, args, stdout, stderr }) => {
  const location = await client.createSkill({ name: word, global: args.flag('global') });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ name: word, location })}\n`);
  else {
    stdout.line(stdout.safeLine(location));
    stderr.line(`Write it, then let it count: bulkhead skill pin ${stderr.safeLine(word)}`);
  }
  return EXIT.completed;
};

async function agreed({ word, args, environment, stderr }: SkillCall): Promise<boolean> {
  if (args.flag('json') || !hasPerson(environment)) {
    stderr.line('there is nobody to ask: add --yes');
    return false;
  }
  const question = `Remove skill ${stderr.safeLine(word)} from the disk for good? [y/N] `;
  return yesOrNo(await askOnTerminal(environment)(question, new AbortController().signal)) === true;
}
