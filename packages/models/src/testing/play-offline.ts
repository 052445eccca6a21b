import { create } from '@bufbuild/protobuf';
import type { ModelClient } from '@bulkhead/protocol';
import {
  type Message,
  MessageSchema,
  StopReason,
  type ToolCall,
  type ToolDefinition,
} from '@bulkhead/protocol/chat';
import { expect } from 'vitest';
import { createOfflineModel } from '../offline/offline-model.ts';
import { callWith, readAnswer, tool, toolMessage, userMessage } from './model-fixtures.ts';

export const CORE = ['ls', 'read', 'write', 'edit', 'find', 'grep', 'bash'].map(tool);
const MOST_ROUNDS = 8;

export interface ToolReply {
  readonly text: string;
  readonly isError?: boolean;
  /** Definitions that the call adds, as `load_tools` does. */
  readonly loads?: readonly ToolDefinition[];
}

interface Run {
  readonly answer: string;
  readonly calls: readonly { name: string; args: unknown }[];
  readonly rounds: number;
}

/** Plays a run the way the agent's loop does: one batch of calls a round, results back in order. */
export async function play(
  request: string,
  tools: (call: ToolCall) => ToolReply,
  start: { readonly definitions?: readonly ToolDefinition[]; readonly history?: readonly Message[] } = {},
  model: ModelClient = createOfflineModel(),
): Promise<Run> {
  const messages = [...(start.history ?? []), userMessage(request)];
  let definitions = start.definitions ?? CORE;
  const calls: { name: string; args: unknown }[] = [];
  for (let rounds = 1; rounds <= MOST_ROUNDS; rounds += 1) {
    const { finish, text } = await readAnswer(model, callWith({ messages, tools: definitions }));
    messages.push(create(MessageSchema, { role: { case: 'assistant', value: finish.message } }));
    const wished = finish.message.parts.flatMap(({ part }) => (part.case === 'toolCall' ? [part.value] : []));
    expect(finish.stopReason).toBe(wished.length > 0 ? StopReason.TOOL_CALLS : StopReason.STOP);
    if (wished.length === 0) return { answer: text, calls, rounds };
    for (const call of wished) {
      calls.push({ name: call.name, args: JSON.parse(call.argumentsJson) });
      const reply = tools(call);
      definitions = [...definitions, ...(reply.loads ?? [])];
      messages.push(toolMessage(call.callId, call.name, reply.text, reply.isError ?? false));
    }
  }
  throw new Error(`no answer after ${MOST_ROUNDS} rounds`);
}
