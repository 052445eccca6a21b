import type { EngineLink } from '@bulkhead/client';
import { sayWhile } from '../../conversation/rollback-progress.ts';
import type { Output } from '../../output/output.ts';
import { printFiles, printHits, SEARCHING } from '../../output/print-memory.ts';

/** `/memory [QUERY]`: search results in memory, or, without words, the files of memory. */
export async function chatMemory(
  link: EngineLink,
  query: string,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const words = query.trim();
  if (words === '') {
    return printFiles(await link.repeat((client) => client.call('showMemory', {}, signal), signal), output);
  }
  const search = link.repeat(
    async (client) => (await client.call('searchMemory', { query: words }, signal)).hits,
    signal,
  );
  printHits(await sayWhile(search, SEARCHING, (line) => output.line(line)), output);
}
