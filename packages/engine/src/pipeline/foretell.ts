import type { Action, FileChange, ToolHost } from '@bulkhead/protocol';
import { hostCall } from './host-call.ts';

/** Which files the action will change, and how: what it can be looked up by after a crash (FG5). Never rejects. */
export async function foretell(
  action: Action,
  host: ToolHost,
  signal: AbortSignal,
): Promise<readonly FileChange[]> {
  const { command, effect, paths } = action.metadata;
  // What a command does is known when it has been done, and then asked about.
  if (command !== undefined) return [];
  if (effect === 'pure' || !paths.some(({ access }) => access === 'write')) return [];
  try {
    return (await host.plan(hostCall(action), signal)).changes;
  } catch {
    // What can't be foretold can't be looked up either; the call itself says what is wrong.
    return [];
  }
}
