import type { AcceptedCall, ToolHost, ToolPlan } from '@bulkhead/protocol';
import { hostCall } from './host-call.ts';

/** The changes that a tool plans, as far as known. */
export type Foretold = Pick<ToolPlan, 'text' | 'changes'>;

const NOT_FORETOLD: Foretold = { text: '', changes: [] };

/**
 * The changes that an action would make to the present files. They are used for the lookup after a
 * crash (FG5), the question and the snapshot. Never rejects: if planning fails, the call itself
 * reports the error.
 */
export async function foretell(action: AcceptedCall, host: ToolHost, signal: AbortSignal): Promise<Foretold> {
  const { command, effect, paths } = action.metadata;
  // The changes of a command are known only after it ran; the question follows then.
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
