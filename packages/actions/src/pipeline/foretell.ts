import type { AcceptedCall, ToolHost, ToolPlan } from '@bulkhead/protocol';
import { hostCall } from './host-call.ts';

/** What a tool says it would do, as far as it can be told. */
export type Foretold = Pick<ToolPlan, 'text' | 'changes'>;

const NOT_FORETOLD: Foretold = { text: '', changes: [] };

/**
 * What an action would do to the files as they are now, and which those are: what it can be looked up by after a crash (FG5),
 * asked about, and kept before. Never rejects: what can't be foretold, the call itself will say.
 */
export async function foretell(action: AcceptedCall, host: ToolHost, signal: AbortSignal): Promise<Foretold> {
  const { command, effect, paths } = action.metadata;
  // What a command does is known when it has been done, and then asked about.
  if (command !== undefined) return NOT_FORETOLD;
  const writes = host.folder !== undefined || paths.some(({ access }) => access === 'write');
  if (effect === 'pure' || !writes) return NOT_FORETOLD;
  try {
    const { text, changes } = await host.plan(hostCall(action), signal);
    return { text, changes };
  } catch {
    return NOT_FORETOLD;
  }
}
