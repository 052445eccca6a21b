import { changeConfig, checkHome, createProfile, readProfile } from '@bulkhead/engine/offline/config';
import { engineRuns } from '../engine-runs.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import type { ProfileVerb } from './profile-verb.ts';

/** `profile create NAME [--from NAME]` */
export const create: ProfileVerb = async ({ word, args, environment, stdout, stderr }) => {
  const layout = homeOf(environment);
  checkHome(layout, environment.env);
  const folder = createProfile(layout, word, args.value('from'));
  if (args.flag('json')) stdout.own(`${JSON.stringify({ name: word, folder })}\n`);
  else {
    stdout.line(stdout.safeLine(folder));
    stderr.line(`Write its IDENTITY.md, SOUL.md or AGENTS.md, then: bulkhead profile use ${word}`);
  }
  return EXIT.completed;
};

/** `profile use NAME` */
export const use: ProfileVerb = async ({ word, args, environment, stdout, stderr }) => {
  const layout = homeOf(environment);
  readProfile(layout, word);
  const changed = changeConfig(layout, [{ key: 'profile', value: word }]);
  if (args.flag('json')) stdout.own(`${JSON.stringify({ name: word, changed })}\n`);
  else
    stdout.line(
      changed ? `${word} is in use from the next start of the engine` : `${word} is in use already`,
    );
  if (changed && (await engineRuns(layout)))
    stderr.line('`bulkhead restart` applies it to the running engine.');
  return EXIT.completed;
};
