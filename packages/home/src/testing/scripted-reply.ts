import { create } from '@bufbuild/protobuf';
import type { BulkheadError, ModelStreamEvent } from '@bulkhead/protocol';
import {
  type AssistantMessage,
  AssistantMessageSchema,
  StopReason,
  UsageSchema,
} from '@bulkhead/protocol/chat';

/** A scripted model's reaction to one call. */
export type Reply =
  | {
      readonly text: string;
      readonly stop?: StopReason;
      readonly waitMs?: number;
      readonly inputTokens?: number;
    }
  | {
      readonly calls: readonly (readonly [name: string, args: object])[];
      readonly waitMs?: number;
      readonly inputTokens?: number;
    }
  | { readonly error: BulkheadError; readonly after?: string; readonly waitMs?: number };

/** A reply as a model streams it. */
export function* streamed(reply: Reply): Generator<ModelStreamEvent> {
  const text = 'error' in reply ? reply.after : 'text' in reply ? reply.text : undefined;
  if (text !== undefined) yield { type: 'text', text };
  if ('error' in reply) throw reply.error;
  const stopReason = 'calls' in reply ? StopReason.TOOL_CALLS : (reply.stop ?? StopReason.STOP);
  const usage = create(UsageSchema, { inputTokens: reply.inputTokens ?? 100, outputTokens: 10 });
  yield { type: 'finish', message: answerOf(reply), stopReason, usage };
}

function answerOf(reply: Exclude<Reply, { readonly error: unknown }>): AssistantMessage {
  if ('text' in reply) {
    return create(AssistantMessageSchema, {
      parts: [{ part: { case: 'text', value: { text: reply.text } } }],
    });
  }
  return create(AssistantMessageSchema, {
    parts: reply.calls.map(([name, args], index) => ({
      part: {
        case: 'toolCall' as const,
        value: { callId: `call-${index + 1}`, name, argumentsJson: JSON.stringify(args) },
      },
    })),
  });
}
