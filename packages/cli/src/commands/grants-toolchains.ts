import { resolve } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import type { Toolchain } from '@bulkhead/protocol/client';
import { hasPerson } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { allowToolchains, isOpen, offerToolchains, showToolchain } from '../set-up/toolchains.ts';
import type { GrantsCall } from './grants-verb.ts';

/** `bulkhead grants toolchains`: shows them, and allows them with `--yes` or after a question. */
export async function listToolchains(call: GrantsCall): Promise<number> {
  const { client, args, stdout, environment, signal } = call;
  const found = await chosen(call);
  const open = found.filter(isOpen);
  const allows = args.flag('yes') && open.length > 0;
  if (args.flag('json')) {
    if (allows) await allowToolchains(client, open, signal);
    const now = allows ? await chosen(call) : found;
    stdout.own(`${JSON.stringify(now.map(asJson))}\n`);
    return EXIT.completed;
  }
  if (found.length === 0) stdout.line('no programs were found in your home folder');
  const asks = !args.flag('yes') && hasPerson(environment);
  for (const each of found) if (!(asks && open.includes(each))) showToolchain(each, stdout, environment);
  if (asks) await offerToolchains(client, open, environment, signal);
  else if (allows) stdout.line(await allowToolchains(client, open, signal));
  return EXIT.completed;
}

/** @throws BulkheadError `not_found` */
async function chosen({ client, words, environment, signal }: GrantsCall): Promise<readonly Toolchain[]> {
  const { toolchains } = await client.call('listToolchains', {}, signal);
  const [word] = words;
  if (word === undefined) return toolchains;
  const folder = resolve(environment.cwd, word);
  const found = toolchains.filter(({ place }) => place === folder);
  if (found.length > 0) return found;
  throw new BulkheadError('not_found', `${folder} is no folder of programs in your home`, {
    fix: 'See `bulkhead grants toolchains`.',
  });
}

function asJson({ $typeName: _, ...toolchain }: Toolchain) {
  return toolchain;
}
