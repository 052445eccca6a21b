import type { Action, ToolDescription } from '@bulkhead/protocol';
import type { FlowCall } from '@bulkhead/shield';
import { buildAction } from '../pipeline/canonical-action.ts';
import type { ActionFacts } from '../pipeline/stages.ts';

/** Absolute paths of the files that the command of an action reads; none if it is no command. */
export type CommandReads = (action: Pick<Action, 'metadata'>) => readonly string[];

/**
 * Current paths (links followed) and hosts of a recorded call without facts. Undefined if its tool
 * does not accept the call (any more): flow is stricter then.
 */
export function callFacts(
  tools: { get(name: string): ToolDescription | undefined },
  call: FlowCall,
  workingFolder: string,
  readsOf: CommandReads,
): FlowCall['metadata'] {
  const tool = tools.get(call.tool);
  if (tool === undefined) return undefined;
  try {
    const proposal = { sessionId: '', runId: '', callId: '', tool: call.tool, workingFolder };
    return factsOf(buildAction(proposal, tool, tool.parse(call.arguments), { id: '', time: 0 }), readsOf);
  } catch {
    return undefined;
  }
}

/**
 * The paths and hosts of an action. Files that its command reads count as read by a tool: otherwise
 * `cat` would remove the labels that `read` keeps.
 */
export function factsOf(action: Pick<Action, 'id' | 'metadata'>, readsOf: CommandReads): ActionFacts {
  const { id, metadata } = action;
  const { workingFolder, paths, hosts = [] } = metadata;
  const read = readsOf(action).map((path) => ({ path, access: 'read' as const }));
  return { action: id, workingFolder, paths: [...paths, ...read], hosts };
}
