import { EXIT } from '../exit-code.ts';
import type { MemoryVerb } from './memory-verb.ts';

/** `memory reindex` */
export const reindexMemory: MemoryVerb = async ({ client, args, stdout }) => {
  const texts = await client.reindexMemory();
  if (args.flag('json')) stdout.own(`${JSON.stringify({ texts })}\n`);
  else stdout.line(`the index was made anew: ${texts} ${texts === 1 ? 'text' : 'texts'}`);
  return EXIT.completed;
};
