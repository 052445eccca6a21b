import type { AcceptedCall, ToolHostCall } from '@bulkhead/protocol';
import { type Given, someOf } from '../grants/given.ts';
import { canonicalText } from './canonical-action.ts';
import { textDigest } from './text-digest.ts';

/** Text before the arguments in a canonical action: RFC 8785 sorts its names. */
const BEFORE = '{"arguments":';

/** The action as the executor receives it: its arguments are a slice of the judged text (FR4). */
export function hostCall(action: AcceptedCall): ToolHostCall {
  const given = someOf(action.metadata);
  const after = afterArguments(action.tool, given);
  return {
    actionId: action.id,
    sessionId: action.sessionId,
    tool: action.tool,
    canonicalArguments: action.canonical.slice(BEFORE.length, -after.length),
    parsed: action.parsed,
    workingFolder: action.metadata.workingFolder,
    ...given,
    ...(action.origin === undefined ? {} : { origin: action.origin }),
  };
}

/** SHA-256 of the canonical action of a call, hex: computed from the bytes in the call. */
export function callDigest({
  tool,
  canonicalArguments,
  ...given
}: Pick<ToolHostCall, 'tool' | 'canonicalArguments' | keyof Given>): string {
  return textDigest(`${BEFORE}${canonicalArguments}${afterArguments(tool, given)}`);
}

/** RFC 8785 sorts names: `arguments` comes before all others. */
function afterArguments(tool: string, given: Given): string {
  return `,${canonicalText({ ...someOf(given), tool }).slice(1)}`;
}
