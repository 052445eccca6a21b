import type { Message } from '@bulkhead/protocol/chat';
import { callsOf } from '../session/message-view.ts';

/**
 * The reasons for which a provider would refuse a conversation: a call without exactly one result
 * right after its message, or a result without its call [T9].
 */
export function conversationFlaws(messages: readonly Message[]): readonly string[] {
  const flaws: string[] = [];
  let owed: string[] = [];
  for (const { role } of messages) {
    if (role.case === 'tool') {
      const { callId } = role.value;
      if (!owed.includes(callId)) flaws.push(`the result of ${callId} follows no call of it`);
      owed = owed.filter((call) => call !== callId);
      continue;
    }
    if (owed.length > 0) flaws.push(`calls ${owed.join()} have no result`);
    owed = role.case === 'assistant' ? callsOf(role.value).map(({ callId }) => callId) : [];
  }
  if (owed.length > 0) flaws.push(`calls ${owed.join()} at the end have no result`);
  return flaws;
}
