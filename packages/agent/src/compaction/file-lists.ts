import type { Message, ToolCall } from '@bulkhead/protocol/chat';
import { callsOf } from '../loop/message-parts.ts';
import { oneLine } from './one-line.ts';

const READERS: readonly string[] = ['read'];
const CHANGERS: readonly string[] = ['write', 'edit'];
const MAX_FILES = 60;
const MAX_PATH = 300;

/** Files that a conversation read and changed, in the order they were last touched. */
export interface FileLists {
  readonly read: readonly string[];
  readonly changed: readonly string[];
}

/**
 * Derived from the calls, not from a model's memory: only successful calls count [K2]. The newest
 * 60 of each.
 *
 * @param earlier lists in an earlier summary
 */
export function fileLists(messages: readonly Message[], earlier: FileLists): FileLists {
  const read = new Set(earlier.read);
  const changed = new Set(earlier.changed);
  let calls = new Map<string, ToolCall>();
  for (const { role } of messages) {
    if (role.case === 'assistant') calls = new Map(callsOf(role.value).map((call) => [call.callId, call]));
    if (role.case !== 'tool' || role.value.isError) continue;
    const call = calls.get(role.value.callId);
    const path = call === undefined ? '' : pathOf(call.argumentsJson);
    if (call === undefined || path === '') continue;
    if (READERS.includes(call.name)) touch(read, path);
    if (CHANGERS.includes(call.name)) touch(changed, path);
  }
  return { read: [...read].slice(-MAX_FILES), changed: [...changed].slice(-MAX_FILES) };
}

/** Moves it to the end of the list. */
function touch(list: Set<string>, path: string): void {
  list.delete(path);
  list.add(path);
}

function pathOf(argumentsJson: string): string {
  try {
    const input: unknown = JSON.parse(argumentsJson);
    const path = typeof input === 'object' && input !== null && 'path' in input ? input.path : '';
    return typeof path === 'string' ? oneLine(path, MAX_PATH) : '';
  } catch {
    return '';
  }
}
