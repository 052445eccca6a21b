import type { AcceptedCall, ToolHostCall } from '@bulkhead/protocol';
import { canonicalText, type Given, someOf } from './canonical-action.ts';
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

/** RFC 8785 sorts names: `folders`, `granted` and `secretFiles` come before `tool`, `toolchains` after it. */
function afterArguments(tool: string, given: Given): string {
  const { granted, toolchains, folders, secretFiles } = someOf(given);
  const around = folders === undefined ? '' : `"folders":${canonicalText(folders)},`;
  const servers = granted === undefined ? '' : `"granted":${canonicalText(granted)},`;
  const files = secretFiles === undefined ? '' : `"secretFiles":${canonicalText(secretFiles)},`;
  const after = toolchains === undefined ? '' : `,"toolchains":${canonicalText(toolchains)}`;
  return `,${around}${servers}${files}"tool":${canonicalText(tool)}${after}}`;
}
