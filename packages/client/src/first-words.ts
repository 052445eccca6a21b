import type { SessionSummary } from '@bulkhead/protocol/client';
import { firstLine } from '@bulkhead/protocol/transcript';
import type { EngineClient } from './engine-client.ts';
import { branchEntries } from './session-reads.ts';

/** Number of sessions read for one list: its newest. */
const LOOKED_INTO = 40;
/** Time limit for a list, milliseconds. */
const WAITED_MS = 1_000;

/**
 * First words of sessions without a title, by id: the first line of the first message. Empty for a
 * session that can't be read in time.
 *
 * @param sessions as listed, newest first
 */
export async function firstWords(
  client: Pick<EngineClient, 'stream'>,
  sessions: readonly SessionSummary[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const wanted = sessions.filter(
    ({ title, messages, damage }) => title === '' && messages > 0 && damage === '',
  );
  const limit = AbortSignal.any([signal, AbortSignal.timeout(WAITED_MS)]);
  const words = new Map<string, string>();
  const look = async ({ sessionId }: SessionSummary) => {
    for await (const { message } of branchEntries(client, { sessionId }, limit)) {
      if (message?.role.case !== 'user') continue;
      words.set(sessionId, firstLine(message.role.value.text));
      return;
    }
  };
  await Promise.allSettled(wanted.slice(0, LOOKED_INTO).map(look));
  signal.throwIfAborted();
  return words;
}
