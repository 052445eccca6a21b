import { confirm } from '../conversation/confirm.ts';
import { hasPerson } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import type { MemoryCall, MemoryVerb } from './memory-verb.ts';

/** `memory add TEXT [--file FILE] [--heading H] [--replaces LINE] [--yes]` */
export const addMemory: MemoryVerb = async (call) => {
  const { client, words, args, stdout, stderr } = call;
  const [text = ''] = words;
  if (!(args.flag('yes') || (await mayKeep(text, call)))) {
    stderr.line('nothing was written');
    return EXIT.blocked;
  }
  const { path, added, known, removed, actionId } = await client.call('addMemory', {
    text,
    file: args.value('file') ?? '',
    heading: args.value('heading') ?? '',
    replaces: args.value('replaces') ?? '',
  });
  if (args.flag('json')) {
    stdout.own(`${JSON.stringify({ path, added, known, removed, action: actionId })}\n`);
    return EXIT.completed;
  }
  if (actionId !== '') stdout.line(`remembered in ${stdout.safeLine(path)}:`);
  if (removed !== '') stdout.line(stdout.safeLine(`- ${removed}`));
  for (const line of added) stdout.line(stdout.safeLine(`+ ${line}`));
  for (const line of known) stdout.line(stdout.safeLine(`already in memory: ${line}`));
  if (actionId !== '') {
    stderr.line(stderr.palette.dim(`undo with: bulkhead chronicle rollback ${stderr.safeLine(actionId)}`));
  }
  return EXIT.completed;
};

/** Asks before a secret is stored where every model reads it. */
async function mayKeep(text: string, { args, environment, stderr }: MemoryCall): Promise<boolean> {
  const { findSecrets } = await import('@bulkhead/engine/offline/secrets');
  const kinds = findSecrets(text);
  if (kinds.length === 0) return true;
  stderr.line(`This looks like a secret (${kinds.join(', ')}). Models receive memory with their requests.`);
  stderr.line('Store keys with `bulkhead config secret NAME`; do not give passwords to an agent.');
  if (args.flag('json') || !hasPerson(environment)) {
    stderr.line('there is no terminal to ask on: add --yes to keep it anyway');
    return false;
  }
  return await confirm(environment, 'Keep it anyway?');
}
