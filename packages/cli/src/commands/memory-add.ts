import { EXIT } from '../exit-code.ts';
import type { MemoryVerb } from './memory-verb.ts';

/** `memory add TEXT [--file FILE] [--heading H] [--replaces LINE]` */
export const addMemory: MemoryVerb = async ({ client, words, args, stdout }) => {
  const { path, added, known, removed, actionId } = await client.addMemory({
    text: words[0] ?? '',
    file: args.value('file') ?? '',
    heading: args.value('heading') ?? '',
    replaces: args.value('replaces') ?? '',
  });
  if (args.flag('json')) {
    stdout.own(`${JSON.stringify({ path, added, known, removed, action: actionId })}\n`);
    return EXIT.completed;
  }
  if (actionId !== '') stdout.line(`${stdout.safeLine(path)}  ${stdout.palette.dim(stdout.safe(actionId))}`);
  if (removed !== '') stdout.line(stdout.safeLine(`- ${removed}`));
  for (const line of added) stdout.line(stdout.safeLine(`+ ${line}`));
  for (const line of known) stdout.line(stdout.safeLine(`there already: ${line}`));
  return EXIT.completed;
};
