import { closingText, NOTICES, withNotice } from '@bulkhead/agent';
import { textOf } from '@bulkhead/log/session/message-view';
import type { Message } from '@bulkhead/protocol/chat';

/**
 * The answer of a run as the engine's own record has it. What the agent says it is counts only where it is made of
 * that record's words and, at most, one of the fixed notices: the record is not the agent's to write.
 *
 * @param run the run's messages, in order
 * @param said what the agent sent as the answer
 */
export function ownAnswer(run: readonly Message[], said: string): string {
  const last = run.findLast(({ role }) => role.case === 'assistant');
  const closing = closingText(run);
  const texts = [closing, ...(last === undefined ? [] : [textOf(last)])];
  const genuine = texts.flatMap((text) => [text, ...NOTICES.map((notice) => withNotice(text, notice))]);
  if (genuine.includes(said)) return said;
  return texts.find((text) => text !== '') ?? '';
}
