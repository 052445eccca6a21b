import type { AcceptedCall, ToolHostCall } from '@bulkhead/protocol';
import { canonicalText } from './canonical-action.ts';
import { textDigest } from './text-digest.ts';

/** Text before the arguments in a canonical action: RFC 8785 sorts its names. */
const BEFORE = '{"arguments":';

/** The action as the executor receives it: its arguments are a slice of the judged text (FR4). */
export function hostCall(action: AcceptedCall): ToolHostCall {
  const { granted } = action.metadata;
  const after = afterArguments(action.tool, granted);
  return {
    actionId: action.id,
    sessionId: action.sessionId,
    tool: action.tool,
    canonicalArguments: action.canonical.slice(BEFORE.length, -after.length),
    parsed: action.parsed,
    workingFolder: action.metadata.workingFolder,
    ...(granted === undefined ? {} : { granted }),
    ...(action.origin === undefined ? {} : { origin: action.origin }),
  };
}

/** SHA-256 of the canonical action of a call, hex: computed from the bytes in the call. */
export function callDigest({
  tool,
  canonicalArguments,
  granted,
}: Pick<ToolHostCall, 'tool' | 'canonicalArguments' | 'granted'>): string {
  return textDigest(`${BEFORE}${canonicalArguments}${afterArguments(tool, granted)}`);
}

function afterArguments(tool: string, granted: readonly string[] = []): string {
  const more = granted.length === 0 ? '' : `"granted":${canonicalText(granted)},`;
  return `,${more}"tool":${canonicalText(tool)}}`;
}
