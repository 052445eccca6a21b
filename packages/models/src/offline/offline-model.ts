import { create } from '@bufbuild/protobuf';
import type { ModelCall, ModelClient, ModelStreamEvent } from '@bulkhead/protocol';
import {
  type AssistantMessage,
  AssistantMessageSchema,
  StopReason,
  type Usage,
  UsageSchema,
} from '@bulkhead/protocol/chat';
import { OFFLINE_CONTEXT_WINDOW, OFFLINE_MODEL, OFFLINE_PROVIDER } from '../provider-names.ts';
import { cancelledError } from '../stream-errors.ts';
import { planStep, type Step } from './plan.ts';
import { withoutFiles } from './unmarked.ts';

const NAME = `${OFFLINE_PROVIDER}/${OFFLINE_MODEL}`;
const FREE = { input: 0, output: 0, cachedInput: 0 };
const NO_FILES = "I don't look into files that come with a message, so I have left yours out; a model can.";
const NO_IMAGES = "I can't look at images, so I have left yours out; a model in config.yaml can.";
const CHARACTERS_PER_TOKEN = 4;
/** Words per delta, as with a real model. */
const DELTA = /[\s\S]{1,24}(?=\s|$)|[\s\S]{1,24}/gu;

/**
 * The model that needs no key and no network: rules that turn plain requests into tool calls [D1].
 * It drives the same calls and the same stream as a real one, and labels its answers.
 * @param contextWindow tokens; default 128,000
 */
export function createOfflineModel(contextWindow: number = OFFLINE_CONTEXT_WINDOW): ModelClient {
  return { name: NAME, contextWindow, price: FREE, stream: streamStep };
}

async function* streamStep(
  call: ModelCall,
  signal: AbortSignal,
): AsyncGenerator<ModelStreamEvent, void, undefined> {
  const step = planStep(call);
  const text = step.kind === 'call' ? step.say : withNotes(step.text, call);
  for (const delta of text.match(DELTA) ?? []) {
    if (signal.aborted) throw cancelledError(NAME);
    yield { type: 'text', text: delta };
  }
  if (signal.aborted) throw cancelledError(NAME);
  yield {
    type: 'finish',
    message: toMessage(step, text),
    stopReason: step.kind === 'call' ? StopReason.TOOL_CALLS : StopReason.STOP,
    usage: estimatedUsage(call, step, text),
  };
}

/** Says if the request had images or files, because the model did not see them. */
function withNotes(text: string, { messages }: ModelCall): string {
  const asked = messages.findLast(({ role }) => role.case === 'user')?.role;
  if (asked?.case !== 'user') return text;
  const { images, text: said } = asked.value;
  const notes = [images.length > 0 ? NO_IMAGES : '', withoutFiles(said) === said ? '' : NO_FILES];
  return [text, ...notes].filter((part) => part !== '').join('\n\n');
}

function toMessage(step: Step, text: string): AssistantMessage {
  const said = { part: { case: 'text' as const, value: { text } } };
  if (step.kind === 'answer') return create(AssistantMessageSchema, { parts: [said] });
  const { callId, name, argumentsJson } = step;
  return create(AssistantMessageSchema, {
    parts: [said, { part: { case: 'toolCall', value: { callId, name, argumentsJson } } }],
  });
}

/** An estimate by length: this model does not count tokens. */
function estimatedUsage(call: ModelCall, step: Step, text: string): Usage {
  const input = call.messages.reduce(
    (sum, message) => sum + textLength(message),
    call.system.length + (call.tail ?? '').length,
  );
  const output = text.length + (step.kind === 'call' ? step.argumentsJson.length : 0);
  return create(UsageSchema, {
    inputTokens: Math.ceil(input / CHARACTERS_PER_TOKEN),
    outputTokens: Math.ceil(output / CHARACTERS_PER_TOKEN),
  });
}

function textLength({ role }: ModelCall['messages'][number]): number {
  switch (role.case) {
    case 'user':
    case 'tool':
      return role.value.text.length;
    case 'assistant':
      return role.value.parts.reduce(
        (sum, { part }) =>
          sum + (part.case === 'toolCall' ? part.value.argumentsJson : (part.value?.text ?? '')).length,
        0,
      );
    case undefined:
      return 0;
  }
}
