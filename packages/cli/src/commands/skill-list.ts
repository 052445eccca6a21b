import { EXIT } from '../exit-code.ts';
import { manifestAsJson, showManifest, skillLine, stateName, summaryAsJson } from '../skills/skill-lines.ts';
import { untrustedTexts } from '../skills/untrusted-texts.ts';
import type { SkillCall, SkillVerb } from './skill-verb.ts';

/** `skill list` */
export const listSkills: SkillVerb = async ({ client, args, environment, stdout, stderr }) => {
  const { skills, warnings } = await client.call('listSkills', { workingFolder: environment.cwd });
  if (args.flag('json')) {
    stdout.own(`${JSON.stringify({ skills: skills.map(summaryAsJson), warnings })}\n`);
    return EXIT.completed;
  }
  for (const skill of skills) stdout.line(skillLine(skill, stdout));
  const untrusted = await untrustedTexts(client, environment.cwd);
  for (const warning of [...warnings, ...untrusted])
    stderr.line(stderr.palette.yellow(`not used: ${stderr.safeLine(warning)}`));
  return EXIT.completed;
};

/** `skill show NAME` */
export const showSkill: SkillVerb = async (call) => {
  const { client, word, args, environment, stdout } = call;
  const { summary, manifest, body } = await client.call('readSkill', {
    name: word,
    workingFolder: environment.cwd,
  });
  if (summary === undefined || manifest === undefined) return EXIT.failed;
  if (args.flag('json')) {
    stdout.own(`${JSON.stringify({ ...summaryAsJson(summary), ...manifestAsJson(manifest), body })}\n`);
    return EXIT.completed;
  }
  showManifest(manifest, stdout);
  stdout.line(`${stateName(summary.state)}, from ${placeOf(summary, call)}`);
  if (summary.fetchedFrom !== '') stdout.line(`fetched from ${stdout.safeLine(summary.fetchedFrom)}`);
  stdout.line('');
  stdout.own(`${stdout.safe(body)}\n`);
  return EXIT.completed;
};

function placeOf({ origin, location }: { origin: string; location: string }, { stdout }: SkillCall): string {
  return stdout.safeLine(location === '' ? origin : location);
}
