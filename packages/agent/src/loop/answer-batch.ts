import { BulkheadError } from '@bulkhead/protocol';
import type { ToolResultDelivery } from '@bulkhead/protocol/agent';
import type { ToolCall, ToolDefinition, ToolMessage } from '@bulkhead/protocol/chat';
import type { Cancellation } from './cancellation.ts';
import { LOAD_SKILLS, loadSkillsResult, requestedSkills } from './load-skills.ts';
import { LOAD_TOOLS, loadToolsResult, requestedGroups } from './load-tools.ts';
import type { LoopPorts } from './loop-ports.ts';
import type { OpenBatch } from './open-batch.ts';

/** A batch with all its results. */
export interface AnsweredBatch {
  /** One per call, in call order. */
  readonly results: readonly ToolMessage[];
  /** True if every result of the batch says that the run may end. */
  readonly terminate: boolean;
  /** Definitions that `load_tools` brought. */
  readonly loaded: readonly ToolDefinition[];
}

/**
 * Proposes the calls of a batch that have no result yet and awaits them [L4]: read-only calls that follow
 * one another together, all others one at a time, in order.
 *
 * @param tools the definitions that say which calls are read-only; a name that isn't there is not
 */
export async function answerBatch(
  batch: OpenBatch,
  tools: readonly ToolDefinition[],
  ports: LoopPorts,
  cancellation: Cancellation,
): Promise<AnsweredBatch> {
  const results = new Map(batch.results);
  const loaded: ToolDefinition[] = [];
  let terminating = 0;
  let open = batch.calls.filter(({ callId }) => !results.has(callId));
  while (open.length > 0) {
    const group = nextGroup(open, [...tools, ...loaded]);
    open = open.slice(group.length);
    for (const answer of await answerTogether(group, ports, cancellation)) {
      results.set(answer.result.callId, answer.result);
      loaded.push(...answer.loaded);
      if (answer.terminate) terminating += 1;
    }
  }
  return {
    results: batch.calls.flatMap(({ callId }) => results.get(callId) ?? []),
    terminate: terminating === batch.calls.length,
    loaded,
  };
}

/** The calls at the start of `open` that may run side by side. */
function nextGroup(open: readonly ToolCall[], tools: readonly ToolDefinition[]): readonly ToolCall[] {
  const sideBySide = (call: ToolCall): boolean =>
    !META_TOOLS.has(call.name) && tools.some(({ name, readOnly }) => readOnly && name === call.name);
  const end = open.findIndex((call) => !sideBySide(call));
  if (end < 0) return open;
  return open.slice(0, Math.max(end, 1));
}

interface Answer {
  readonly result: ToolMessage;
  readonly terminate: boolean;
  readonly loaded: readonly ToolDefinition[];
}

function answerTogether(
  group: readonly ToolCall[],
  ports: LoopPorts,
  cancellation: Cancellation,
): Promise<Answer[]> {
  const answers = group.map((call) => (META_TOOLS.get(call.name) ?? proposeCall)(call, ports));
  return cancellation.wait(Promise.all(answers));
}

async function proposeCall(call: ToolCall, ports: LoopPorts): Promise<Answer> {
  ports.emit({ type: 'tool_call', call });
  const { result, terminate }: ToolResultDelivery = await ports.results.toolResult(call.callId);
  if (result?.callId !== call.callId) {
    throw new BulkheadError('protocol_violation', `no result was delivered for call ${call.callId}`);
  }
  return { result, terminate, loaded: [] };
}

async function loadTools(call: ToolCall, ports: LoopPorts): Promise<Answer> {
  ports.emit({ type: 'tool_defs_request', callId: call.callId, groups: requestedGroups(call) });
  const delivery = await ports.results.toolDefs(call.callId);
  return { result: loadToolsResult(call, delivery), terminate: false, loaded: delivery.tools };
}

async function loadSkills(call: ToolCall, ports: LoopPorts): Promise<Answer> {
  ports.emit({ type: 'skills_request', callId: call.callId, names: requestedSkills(call) });
  const delivery = await ports.results.skills(call.callId);
  return { result: loadSkillsResult(call, delivery), terminate: false, loaded: [] };
}

/** What the engine answers without making an action of it. */
const META_TOOLS: ReadonlyMap<string, (call: ToolCall, ports: LoopPorts) => Promise<Answer>> = new Map([
  [LOAD_TOOLS, loadTools],
  [LOAD_SKILLS, loadSkills],
]);
