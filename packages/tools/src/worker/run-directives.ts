import type { MessageInitShape } from '@bufbuild/protobuf';
import { BulkheadError, describeError, type ToolResult } from '@bulkhead/protocol';
import type { AttachRequestSchema, AttachResponse, RunTool } from '@bulkhead/protocol/worker';
import type { BoundTool, WorkerContext } from '../executors/worker-tool.ts';
import { readArguments } from '../read-arguments.ts';

type Event = NonNullable<MessageInitShape<typeof AttachRequestSchema>['event']>;

/** Returns false if the event is larger than the engine accepts; then nothing was sent. */
export type SendEvent = (event: Event) => boolean;

const TOO_LARGE = 'the call was carried out, but its result is larger than the engine accepts';

/**
 * Carries out directives until a shutdown or the end of the stream, calls side by side. Each call that was
 * started is answered by exactly one `ToolFinished`, whatever happens in it; what is still running when
 * the directives end is aborted and not waited for longer than it takes to say so.
 */
export async function runDirectives(
  directives: AsyncIterable<AttachResponse>,
  tools: readonly BoundTool[],
  context: WorkerContext,
  send: SendEvent,
): Promise<void> {
  const running = new Map<string, AbortController>();
  const calls = new Set<Promise<void>>();
  try {
    for await (const { directive } of directives) {
      if (directive.case === 'shutdown') return;
      if (directive.case === 'cancel') running.get(directive.value.actionId)?.abort();
      if (directive.case === 'run') {
        const call = startCall(directive.value, running, tools, context, send);
        calls.add(call);
        void call.then(() => calls.delete(call));
      }
    }
  } finally {
    for (const controller of running.values()) controller.abort();
    await Promise.all(calls);
  }
}

async function startCall(
  run: RunTool,
  running: Map<string, AbortController>,
  tools: readonly BoundTool[],
  context: WorkerContext,
  send: SendEvent,
): Promise<void> {
  const { actionId } = run;
  // A second finish under one id would break the wire's promise, so the doubled call is not answered at all.
  if (running.has(actionId)) return;
  const controller = new AbortController();
  running.set(actionId, controller);
  const update = (text: string) => send({ case: 'progress', value: { actionId, text } });
  const result = await resultOf(run, tools, context, update, controller.signal);
  running.delete(actionId);
  const { text, isError, display = '', terminate = false } = result;
  const answered = send({ case: 'finished', value: { actionId, text, isError, display, terminate } });
  if (!answered) send({ case: 'finished', value: { actionId, text: TOO_LARGE, isError: true } });
}

async function resultOf(
  run: RunTool,
  tools: readonly BoundTool[],
  context: WorkerContext,
  update: (text: string) => void,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    const tool = tools.find(({ name }) => name === run.tool);
    if (tool === undefined) throw new BulkheadError('unknown_tool', `this worker has no tool ${run.tool}`);
    return await tool.run(readArguments(run.tool, run.argumentsJson), context, update, signal);
  } catch (error) {
    return { text: signal.aborted ? 'cancelled' : describeError(error), isError: true };
  }
}
