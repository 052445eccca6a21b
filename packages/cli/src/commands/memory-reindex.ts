import { sayWhile } from '../conversation/rollback-progress.ts';
import { EXIT } from '../exit-code.ts';
import type { MemoryVerb } from './memory-verb.ts';

/** `memory reindex` */
export const reindexMemory: MemoryVerb = async ({ client, args, stdout, stderr }) => {
  const { texts } = await sayWhile(client.call('reindexMemory', {}), 'rebuilding the index', (line) =>
    stderr.line(line),
  );
  if (args.flag('json')) stdout.own(`${JSON.stringify({ texts })}\n`);
  else stdout.line(`the index was rebuilt: ${texts} ${texts === 1 ? 'text' : 'texts'}`);
  return EXIT.completed;
};
