import type { MemoryHit } from '@bulkhead/protocol/client';
import { verbUsageError } from '../arguments/verb-table.ts';
import { sayWhile } from '../conversation/rollback-progress.ts';
import { EXIT } from '../exit-code.ts';
import { printHits, SEARCHING } from '../output/print-memory.ts';
import type { MemoryVerb } from './memory-verb.ts';

const MOST = 100;

/** `memory search QUERY [--limit N] [--json]` */
export const searchMemory: MemoryVerb = async ({ client, words, args, stdout, stderr }) => {
  const search = client.call('searchMemory', {
    query: words[0] ?? '',
    limit: limitOf(args.value('limit')),
  });
  const { hits } = await sayWhile(search, SEARCHING, (line) => stderr.line(line));
  if (args.flag('json')) stdout.own(`${JSON.stringify(hits.map(hitAsJson))}\n`);
  else printHits(hits, stdout);
  return EXIT.completed;
};

/** Programs may rely on the first four. */
function hitAsJson({ path, heading, text, score, source, date, firstLine, lastLine }: MemoryHit) {
  return { path, heading, text, score, source, date, lines: [firstLine, lastLine] };
}

function limitOf(given: string | undefined): number {
  if (given === undefined) return 0;
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return limit;
  throw verbUsageError('memory', `--limit is a number from 1 to ${MOST}, not ${JSON.stringify(given)}`);
}
