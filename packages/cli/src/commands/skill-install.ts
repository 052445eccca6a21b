import { resolve } from 'node:path';
import { fetchSkill, isAddress, parseGitAddress } from '@bulkhead/engine/offline/skills';
import { BulkheadError } from '@bulkhead/protocol';
import type { InspectSkillResponse } from '@bulkhead/protocol/client';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { manifestAsJson, showManifest } from '../skills/skill-lines.ts';
import { confirmed, type SkillCall, type SkillVerb } from './skill-verb.ts';

/**
 * `skill install SOURCE [--global] [--yes --hash HASH]`: from this machine, or from a repository
 * that git fetches.
 */
export const installSkill: SkillVerb = async (call) => {
  if (!isAddress(call.word)) {
    return await installFrom(call, { source: resolve(call.environment.cwd, call.word), fetchedFrom: '' }, []);
  }
  const address = parseGitAddress(call.word);
  const { environment, stderr } = call;
  const interrupted = new AbortController();
  // Stays until the fetched files are removed: ending the process earlier would leave them on disk.
  using _interrupts = environment.onInterrupt(() => interrupted.abort(cancelled()));
  using fetched = await fetchSkill(address, {
    layout: homeOf(environment),
    env: environment.env,
    signal: interrupted.signal,
    tell: (line) => stderr.line(stderr.safeLine(line)),
  });
  const { archive, fetchedFrom, leftOut } = fetched;
  return await installFrom(call, { source: archive, fetchedFrom }, leftOut, interrupted.signal);
};

async function installFrom(
  call: SkillCall,
  origin: { readonly source: string; readonly fetchedFrom: string },
  notFetched: readonly string[],
  signal?: AbortSignal,
): Promise<number> {
  const { client, args, stdout, stderr } = call;
  const { fetchedFrom } = origin;
  const global = args.flag('global');
  const { manifest, installed, leftOut } = await client.call('inspectSkill', origin, signal);
  if (manifest === undefined) return EXIT.failed;
  const facts = { ...manifestAsJson(manifest), ...(fetchedFrom === '' ? {} : { fetchedFrom }) };
  if (!args.flag('json')) {
    showManifest(manifest, stderr);
    if (fetchedFrom !== '') stderr.line(`fetched from ${stderr.safeLine(fetchedFrom)}`);
    for (const what of [...notFetched, ...leftOut]) stderr.line(`left out: ${stderr.safeLine(what)}`);
  }
  const question = `Install and pin it? ${consequence(installed, global)}`;
  if (!(await confirmed(call, question, manifest.hash))) return notDone(call, facts);
  signal?.throwIfAborted();
  const { location, replaced } = await client.call('installSkill', {
    ...origin,
    hash: manifest.hash,
    global,
  });
  if (args.flag('json')) {
    stdout.own(`${JSON.stringify({ ...facts, installed: true, location, replaced })}\n`);
  } else stdout.line(`${replaced ? 'replaced' : 'installed'} ${stdout.safeLine(location)}`);
  return EXIT.completed;
}

/** `skill pin NAME [--global] [--yes --hash HASH]` */
export const pinSkill: SkillVerb = async (call) => {
  const { client, word, args, stdout, stderr } = call;
  const global = args.flag('global');
  const origin = global ? 'global' : 'profile';
  const { skills } = await client.call('listSkills', {});
  const summary = skills.find((skill) => skill.name === word && skill.origin === origin);
  const { manifest, body } =
    summary?.hiddenBy === '' ? await client.call('readSkill', { name: word }) : nothing;
  if (summary === undefined) throw notInstalled(word, origin);
  if (!args.flag('json')) {
    if (manifest !== undefined) showManifest(manifest, stderr);
    stderr.own(`\n${stderr.safe(body)}\n\n`);
  }
  const hash = manifest?.hash ?? summary.hash;
  if (!(await confirmed(call, 'Trust this text as guidance?', hash)))
    return notDone(call, { name: word, hash });
  await client.call('pinSkill', { name: word, hash, global });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ name: word, hash, pinned: true })}\n`);
  else stdout.line(`pinned ${stdout.safeLine(word)}`);
  return EXIT.completed;
};

const nothing = { manifest: undefined, body: '(hidden by a nearer one of this name: look at its files)' };

function notDone({ args, stdout, stderr }: SkillCall, facts: object): number {
  if (args.flag('json')) stdout.own(`${JSON.stringify({ ...facts, installed: false })}\n`);
  else stderr.line('nothing was changed');
  return EXIT.blocked;
}

function consequence(installed: InspectSkillResponse['installed'], global: boolean): string {
  const origin = global ? 'global' : 'profile';
  return installed.includes(origin) ? 'It replaces the one that is installed.' : '';
}

function cancelled(): BulkheadError {
  return new BulkheadError('cancelled', 'cancelled: nothing was changed');
}

function notInstalled(name: string, origin: string): BulkheadError {
  return new BulkheadError('not_found', `there is no skill "${name}" in ${origin} that can be read`, {
    fix: 'See `bulkhead skill list`.',
  });
}
