import type { EngineLink } from '@bulkhead/client';
import { firstLine } from '@bulkhead/protocol/transcript';
import type { Output } from '../../output/output.ts';

/** Messages of a session that can be withdrawn. */
export interface WaitingMessages {
  readonly sessionId: string;
  /** Ids of the waiting messages of all senders. */
  readonly waiting: readonly string[];
  /** Text of the messages sent from this chat, by id, in the order of entry. */
  readonly own: ReadonlyMap<string, string>;
}

/** `/unqueue`: withdraws the last of one's own waiting messages. */
export async function takeBack(
  link: EngineLink,
  { sessionId, waiting, own }: WaitingMessages,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const messageId = [...own.keys()].findLast((id) => waiting.includes(id));
  if (messageId === undefined) return output.line('no queued message of yours');
  const text = firstLine(own.get(messageId) ?? '');
  const { cancelled: gone } = await link.repeat(
    (client) => client.call('cancelRun', { sessionId, messageId }, signal),
    signal,
  );
  output.line(gone ? `withdrawn: ${output.safe(text)}` : 'the run has already taken it');
}
