import type { Action, ToolHostCall } from '@bulkhead/protocol';
import { canonicalText } from './canonical-action.ts';

/** What a host is given of an action: the bytes that were judged. */
export function hostCall(action: Action): ToolHostCall {
  return {
    actionId: action.id,
    sessionId: action.sessionId,
    tool: action.tool,
    canonicalArguments: canonicalText(action.arguments),
    workingFolder: action.metadata.workingFolder,
  };
}
