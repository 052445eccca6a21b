import type { SearchHit } from '@bulkhead/protocol/client';
import { verbUsageError } from '../arguments/verb-table.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output/output.ts';
import { limitOf, type SessionsVerb } from './sessions-verb.ts';

const LIMIT = 20;

/** `sessions search QUERY` */
export const searchSessions: SessionsVerb = async ({ client, words, args, stdout, stderr }) => {
  const [query = ''] = words;
  if (query.trim() === '') throw verbUsageError('sessions', '`sessions search` needs QUERY');
  const { hits } = await client.call('searchSessions', { query, limit: limitOf(args, LIMIT) }, stdout.gone);
  if (args.flag('json')) stdout.own(`${JSON.stringify(hits.map(hitAsJson))}\n`);
  else if (hits.length === 0) stderr.line('nothing found: a message must contain all words');
  else for (const hit of hits) showHit(hit, stdout);
  return EXIT.completed;
};

function showHit(hit: SearchHit, stdout: Output): void {
  const { bold, dim } = stdout.palette;
  const title = hit.title === '' ? '(no title)' : stdout.safeLine(hit.title);
  stdout.line(`${bold(stdout.safe(hit.sessionId))}  ${dim(stdout.safe(hit.time))}  ${title}`);
  stdout.line(
    `  ${stdout.safe(hit.role)}: ${stdout.safeLine(hit.snippet)}  ${dim(stdout.safe(hit.entryId))}`,
  );
}

function hitAsJson({ sessionId, title, entryId, time, role, snippet }: SearchHit) {
  return { session: sessionId, title, entry: entryId, time, role, snippet };
}
