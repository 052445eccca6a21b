import type { Message } from '@bulkhead/protocol/chat';
import { plainAnswer, userMessage } from './message-parts.ts';
import { CONTINUATION_NOTE } from './notices.ts';
import { withoutStaleResults } from './stale-results.ts';

/**
 * The conversation as a model reads it. Two answers in a row mean that the output limit cut the
 * first, so the note that requested the second is inserted between them: as a user message, and
 * only here. Old tool results are one line each [K5]. Because this depends on nothing but the
 * messages and the model's window, a run continued in a new process, and every later run, sees the
 * same prefix.
 *
 * @param note added at the end
 * @param contextWindow tokens; 0 if unknown
 */
export function modelView(messages: readonly Message[], note?: string, contextWindow = 0): Message[] {
  const view: Message[] = [];
  for (const [at, message] of withoutStaleResults(messages, contextWindow).entries()) {
    view.push(message);
    if (plainAnswer(message) !== undefined && messages[at + 1]?.role.case === 'assistant') {
      view.push(userMessage(CONTINUATION_NOTE));
    }
  }
  if (note !== undefined) view.push(userMessage(note));
  return view;
}
