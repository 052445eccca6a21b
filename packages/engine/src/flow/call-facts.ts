import type { ToolDescription } from '@bulkhead/protocol';
import type { FlowCall } from '@bulkhead/shield';
import { buildAction } from '../pipeline/canonical-action.ts';

/**
 * What a call that was recorded leads to: paths with links followed, and hosts. Undefined for one that its tool would not
 * take, or no longer takes: flow is stricter then.
 */
export function callFacts(
  tools: { get(name: string): ToolDescription | undefined },
  call: FlowCall,
  workingFolder: string,
): FlowCall['metadata'] {
  const tool = tools.get(call.tool);
  if (tool === undefined) return undefined;
  try {
    const proposal = {
      sessionId: '',
      runId: '',
      callId: '',
      tool: call.tool,
      loaded: true,
      argumentsJson: '',
      workingFolder,
    };
    return buildAction(proposal, tool, tool.parse(call.arguments), { id: '', time: 0 }).metadata;
  } catch {
    return undefined;
  }
}
