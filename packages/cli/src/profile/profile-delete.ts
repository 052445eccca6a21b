import { connectEngine } from '@bulkhead/client';
import { deleteProfile, loadConfig, readProfile } from '@bulkhead/engine/offline/config';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { confirm } from '../conversation/confirm.ts';
import { hasPerson } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import type { ProfileCall, ProfileVerb } from './profile-verb.ts';

/** `profile delete NAME [--yes]`: refuses before any question if deletion is impossible. */
export const remove: ProfileVerb = async (call) => {
  const { word, args, environment, stdout, stderr } = call;
  const layout = homeOf(environment);
  const { folder } = readProfile(layout, word);
  if (loadConfig(layout.config).profile === word)
    throw inUse(word, 'Use another one first: bulkhead profile use NAME');
  if (await engineUsesAnother(layout)) {
    throw inUse(
      word,
      'The engine was started with another profile than config.yaml names now: bulkhead restart',
    );
  }
  if (!(args.flag('yes') || (await agreed(call, folder)))) {
    stderr.line('nothing was deleted');
    return EXIT.blocked;
  }
  deleteProfile(layout, word);
  if (args.flag('json')) stdout.own(`${JSON.stringify({ name: word, deleted: true })}\n`);
  else stdout.line(`${word} is deleted`);
  return EXIT.completed;
};

function inUse(name: string, fix: string): BulkheadError {
  return new BulkheadError('busy', `the profile "${name}" is in use, or may be`, { fix });
}

/**
 * True if a running engine was started with a profile that the file no longer contains; it does not
 * reveal which one.
 */
async function engineUsesAnother(layout: HomeLayout): Promise<boolean> {
  try {
    using client = await connectEngine(layout);
    return (await client.call('readSettings', {})).waiting.includes('profile');
  } catch (cause) {
    if (BulkheadError.is(cause) && cause.code === 'not_running') return false;
    throw cause;
  }
}

async function agreed({ word, args, environment, stderr }: ProfileCall, folder: string): Promise<boolean> {
  if (args.flag('json') || !hasPerson(environment)) {
    stderr.line('there is no terminal to ask on: add --yes');
    return false;
  }
  return await confirm(
    environment,
    `Permanently delete ${word} with its memory and skills (${stderr.safeLine(folder)})?`,
  );
}
