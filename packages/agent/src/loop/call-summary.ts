import type { ToolCall, ToolMessage } from '@bulkhead/protocol/chat';
import { contentKind } from './content-kind.ts';
import { LOAD_TOOLS, requestedGroups } from './load-tools.ts';

const MAX_ERROR_LENGTH = 100;

/**
 * One short line about a call and its result, such as `read -> 450 bytes of TypeScript source`.
 *
 * @param result undefined if the run ended before there was one
 */
export function summarizeCall(call: ToolCall, result: ToolMessage | undefined): string {
  return `${call.name} -> ${outcome(call, result)}`;
}

function outcome(call: ToolCall, result: ToolMessage | undefined): string {
  if (result === undefined) return 'no result';
  if (result.isError) return `failed: ${firstLine(result.text)}`;
  if (call.name === LOAD_TOOLS) return requestedGroups(call).join(', ');
  if (result.text === '') return 'no output';
  return `${size(new TextEncoder().encode(result.text).length)} of ${contentKind(call, result.text)}`;
}

function size(bytes: number): string {
  if (bytes === 1) return '1 byte';
  return bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1_000)} kB`;
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length <= MAX_ERROR_LENGTH ? line : `${line.slice(0, MAX_ERROR_LENGTH)}…`;
}
