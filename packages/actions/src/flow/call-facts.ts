import type { Action, ToolDescription } from '@bulkhead/protocol';
import type { FlowCall } from '@bulkhead/shield';
import { buildAction } from '../pipeline/canonical-action.ts';
import type { ActionFacts } from '../pipeline/stages.ts';

/** Files that the command of an action reads, absolute; none for one that is no command. */
export type CommandReads = (action: Pick<Action, 'metadata'>) => readonly string[];

/**
 * What a call that was recorded without its facts leads to now: paths with links followed, and hosts. Undefined for one that its tool would not
 * take, or no longer takes: flow is stricter then.
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

/** What an action leads to. What its command reads is read, as if by a tool: else `cat` would wash what `read` labels. */
export function factsOf(action: Pick<Action, 'id' | 'metadata'>, readsOf: CommandReads): ActionFacts {
  const { id, metadata } = action;
  const { workingFolder, paths, hosts = [] } = metadata;
  const read = readsOf(action).map((path) => ({ path, access: 'read' as const }));
  return { action: id, workingFolder, paths: [...paths, ...read], hosts };
}
