import type { AssistantMessage } from '@bulkhead/protocol/chat';
import { callsOf } from './message-view.ts';

/**
 * The calls of a stored answer that can't be made as they are stored: a secret was taken out of their arguments. One that the
 * model wrote like that itself is taken for such a call, too: it only has to be made again.
 */
export function withheldCalls(answer: AssistantMessage): ReadonlySet<string> {
  const withheld = callsOf(answer).filter(({ argumentsJson }) => argumentsJson.includes('[redacted:'));
  return new Set(withheld.map(({ callId }) => callId));
}

/** The text that the model receives for such a call. */
export const WITHHELD_TEXT =
  'Nothing was done: the engine was restarted before this call, and its log does not keep the secret in the arguments. Make the call again if it is still wanted.';
