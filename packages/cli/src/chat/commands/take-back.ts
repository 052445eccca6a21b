import type { EngineLink } from '@bulkhead/client';
import { firstLine } from '@bulkhead/protocol/transcript';
import type { Output } from '../../output/output.ts';

/** What can be taken back in a session. */
export interface WaitingMessages {
  readonly sessionId: string;
  /** Ids of the messages that wait, whoever sent them. */
  readonly waiting: readonly string[];
  /** Text of the messages sent from here, by id, in the order they were entered. */
  readonly own: ReadonlyMap<string, string>;
}

/** `/unqueue`: takes back the last message of one's own that waits. */
export async function takeBack(
  link: EngineLink,
  { sessionId, waiting, own }: WaitingMessages,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const messageId = [...own.keys()].findLast((id) => waiting.includes(id));
  if (messageId === undefined) return output.line('nothing of yours waits');
  const text = firstLine(own.get(messageId) ?? '');
  const { cancelled: gone } = await link.repeat(
    (client) => client.call('cancelRun', { sessionId, messageId }, signal),
    signal,
  );
  output.line(gone ? `taken back: ${output.safe(text)}` : 'it was taken up already');
}
