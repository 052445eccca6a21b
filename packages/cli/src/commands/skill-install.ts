import { resolve } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import type { InspectSkillResponse } from '@bulkhead/protocol/client';
import { EXIT } from '../exit-code.ts';
import { manifestAsJson, showManifest } from '../skills/skill-lines.ts';
import { confirmed, type SkillCall, type SkillVerb } from './skill-verb.ts';

/** `skill install SOURCE [--global] [--yes --hash HASH]` */
export const installSkill: SkillVerb = async (call) => {
  const { client, word, args, environment, stdout, stderr } = call;
  refuseAddress(word);
  const source = resolve(environment.cwd, word);
  const global = args.flag('global');
  const { manifest, installed, leftOut } = await client.inspectSkill(source);
  if (manifest === undefined) return EXIT.failed;
  if (!args.flag('json')) {
    showManifest(manifest, stderr);
    for (const what of leftOut) stderr.line(`left out: ${stderr.safeLine(what)}`);
  }
  const question = `Install and pin it? ${consequence(installed, global)}`;
  if (!(await confirmed(call, question, manifest.hash))) return notDone(call, manifestAsJson(manifest));
  const { location, replaced } = await client.installSkill({ source, hash: manifest.hash, global });
  if (args.flag('json')) {
    stdout.own(`${JSON.stringify({ ...manifestAsJson(manifest), installed: true, location, replaced })}\n`);
  } else stdout.line(`${replaced ? 'replaced' : 'installed'} ${stdout.safeLine(location)}`);
  return EXIT.completed;
};

/** `skill pin NAME [--global] [--yes --hash HASH]` */
export const pinSkill: SkillVerb = async (call) => {
  const { client, word, args, stdout, stderr } = call;
  const global = args.flag('global');
  const origin = global ? 'global' : 'profile';
  const { skills } = await client.listSkills('');
  const summary = skills.find((skill) => skill.name === word && skill.origin === origin);
  const { manifest, body } = summary?.hiddenBy === '' ? await client.readSkill(word, '') : nothing;
  if (summary === undefined) throw notInstalled(word, origin);
  if (!args.flag('json')) {
    if (manifest !== undefined) showManifest(manifest, stderr);
    stderr.own(`\n${stderr.safe(body)}\n\n`);
  }
  const hash = manifest?.hash ?? summary.hash;
  if (!(await confirmed(call, 'Let this text count as your guidance?', hash)))
    return notDone(call, { name: word, hash });
  await client.pinSkill({ name: word, hash, global });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ name: word, hash, pinned: true })}\n`);
  else stdout.line(`pinned ${stdout.safeLine(word)}`);
  return EXIT.completed;
};

const nothing = { manifest: undefined, body: '(hidden by a nearer one of this name: look at its files)' };

function notDone({ args, stdout, stderr }: SkillCall, facts: object): number {
  if (args.flag('json')) stdout.own(`${JSON.stringify({ ...facts, installed: false })}\n`);
  else stderr.line('nothing was done');
  return EXIT.blocked;
}

function consequence(installed: InspectSkillResponse['installed'], global: boolean): string {
  const origin = global ? 'global' : 'profile';
  return installed.includes(origin) ? 'It replaces the one that is installed.' : '';
}

/** Nothing is fetched: a program that could would need a box of its own. */
function refuseAddress(word: string): void {
  if (!/^[a-z+]+:\/\/|^git@/i.test(word)) return;
  throw new BulkheadError('usage', `${word} is an address, and skills are installed from this machine`, {
    fix: 'Fetch it yourself, look at it, then install the folder: git clone ADDRESS && bulkhead skill install FOLDER',
  });
}

function notInstalled(name: string, origin: string): BulkheadError {
  return new BulkheadError('not_found', `there is no skill "${name}" in ${origin} that can be read`, {
    fix: 'See `bulkhead skill list`.',
  });
}
