import { listProfiles, loadConfig, type ProfileSummary, readProfile } from '@bulkhead/engine/offline/config';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import type { ProfileVerb } from './profile-verb.ts';

/** `profile list` */
export const listAll: ProfileVerb = async ({ args, environment, stdout }) => {
  const layout = homeOf(environment);
  const { profile: inUse } = loadConfig(layout.config);
  const profiles = listProfiles(layout).map((one) => ({ ...one, inUse: one.name === inUse }));
  if (args.flag('json')) stdout.own(`${JSON.stringify(profiles)}\n`);
  else
    for (const one of profiles)
      stdout.line(`${one.inUse ? '*' : ' '} ${one.name}  ${stdout.palette.dim(inWords(one))}`);
  return EXIT.completed;
};

/** `profile show [NAME]` */
export const showOne: ProfileVerb = async ({ word, args, environment, stdout }) => {
  const layout = homeOf(environment);
  const { profile: inUse } = loadConfig(layout.config);
  const found = readProfile(layout, word === '' ? inUse : word);
  const one = { ...found, inUse: found.name === inUse };
  if (args.flag('json')) stdout.own(`${JSON.stringify(one)}\n`);
  else {
    stdout.line(`${one.name}${one.inUse ? ' (in use)' : ''}`);
    stdout.line(`folder   ${stdout.safeLine(one.folder)}`);
    stdout.line(`texts    ${one.texts.join(', ') || 'none'}`);
    stdout.line(`folders  ${one.folders.map((name) => stdout.safeLine(name)).join(', ') || 'none'}`);
  }
  return EXIT.completed;
};

function inWords({ texts }: ProfileSummary): string {
  return texts.length === 0 ? 'no texts of its own' : texts.join(', ');
}
