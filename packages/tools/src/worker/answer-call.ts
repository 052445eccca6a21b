import { BulkheadError, describeError, type ToolPlan, type ToolResult } from '@bulkhead/protocol';
import type { RunTool } from '@bulkhead/protocol/worker';
import type { BoundTool, WorkerContext } from '../definitions/worker-tool.ts';
import type { SendEvent, WorkerEventInit } from './send-event.ts';

const RESULT_TOO_LARGE = 'the call was carried out, but its result is larger than the engine accepts';
const PLAN_TOO_LARGE = 'nothing was done; the plan is larger than the engine accepts';

/**
 * Executes or plans a call. Never rejects: a failure becomes an error result.
 * @returns the answer, and a short one for use if it is too large
 */
export async function answerCall(
  run: RunTool,
  tools: readonly BoundTool[],
  context: WorkerContext,
  send: SendEvent,
  signal: AbortSignal,
): Promise<readonly WorkerEventInit[]> {
  const { actionId } = run;
  const update = (text: string) => send({ case: 'progress', value: { actionId, text } });
  const tooLarge = run.plan ? PLAN_TOO_LARGE : RESULT_TOO_LARGE;
  return [
    await outcomeOf(run, tools, context, update, signal),
    { case: 'finished', value: { actionId, text: tooLarge, isError: true } },
  ];
}

async function outcomeOf(
  run: RunTool,
  tools: readonly BoundTool[],
  context: WorkerContext,
  update: (text: string) => void,
  signal: AbortSignal,
): Promise<WorkerEventInit> {
  const { actionId } = run;
  try {
    const tool = tools.find(({ name }) => name === run.tool);
    if (tool === undefined) throw new BulkheadError('unknown_tool', `this worker has no tool ${run.tool}`);
    const input = readArguments(run.tool, run.argumentsJson);
    const call = { ...context, actionId };
    if (run.plan) return finishedPlan(actionId, await tool.plan(input, call, signal));
    return finishedCall(actionId, await tool.run(input, call, update, signal));
  } catch (error) {
    const text = signal.aborted ? 'cancelled' : describeError(error);
    return { case: 'finished', value: { actionId, text, isError: true } };
  }
}

function finishedCall(actionId: string, result: ToolResult): WorkerEventInit {
  const { text, isError, display = '', terminate = false } = result;
  return { case: 'finished', value: { actionId, text, isError, display, terminate } };
}

function finishedPlan(actionId: string, { text, isError, changes }: ToolPlan): WorkerEventInit {
  const told = changes.map(({ path, before, after }) => ({ path, before: before ?? '', after: after ?? '' }));
  return { case: 'finished', value: { actionId, text, isError, changes: told } };
}

/**
 * Parses the arguments in the judged bytes: either the arguments' own JSON, or the action's
 * canonical form `{"arguments":…,"tool":…}`, whose tool must then be the one being called. No core
 * tool has arguments of those names, so the two can't be taken for each other.
 * @throws BulkheadError `invalid_arguments`
 */
function readArguments(tool: string, json: string): unknown {
  const value = parseJson(json);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort().join();
  if (keys !== 'arguments,tool') return value;
  if (value['tool'] !== tool) throw invalid(`the judged call is not one of ${tool}`);
  return value['arguments'];
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new BulkheadError('invalid_arguments', 'the arguments are not valid JSON', { cause: error });
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(message: string): BulkheadError {
  return new BulkheadError('invalid_arguments', message);
}
