import type { ToolDescription } from '@bulkhead/protocol';
import type { FlowCall } from '@bulkhead/shield';
import { buildAction } from '../pipeline/canonical-action.ts';

/** Files that a command reads, absolute. */
export type CommandReads = (command: string, workingFolder: string) => readonly string[];

/**
 * What a call that was recorded leads to: paths with links followed, and hosts. Undefined for one that its tool would not
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
    const proposal = {
      sessionId: '',
      runId: '',
      callId: '',
      tool: call.tool,
      loaded: true,
      argumentsJson: '',
      workingFolder,
    };
    const { metadata } = buildAction(proposal, tool, tool.parse(call.arguments), { id: '', time: 0 });
    if (metadata.command === undefined) return metadata;
    // What a command reads is read, as if by a tool: else `cat` would wash what `read` labels.
    const reads = readsOf(metadata.command, workingFolder).map((path) => ({ path, access: 'read' as const }));
    return { ...metadata, paths: [...metadata.paths, ...reads] };
  } catch {
    return undefined;
  }
}
