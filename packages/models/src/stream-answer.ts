import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import type { BulkheadError, ModelCall, ModelStreamEvent } from '@bulkhead/protocol';
import { AnswerBuilder } from './answer-builder.ts';
import { classifyProviderError } from './errors/classify-provider-error.ts';
import type { ProviderErrorContext } from './errors/provider-error-context.ts';
import { MALFORMED_RESPONSE } from './errors/provider-failure.ts';
import { toStopReason, toUsage } from './finish-fields.ts';
import type { ModelTimeLimits } from './model-settings.ts';
import type { ProviderAdapter } from './provider-adapter.ts';
import { StallWatch } from './stall-watch.ts';
import { cancelledError, cutOffError, lostCallsError, stallError } from './stream-errors.ts';
import { toPrompt } from './to-prompt.ts';
import { toTools } from './to-tools.ts';

/** Time a server has to close its stream after the last word, before we do and lose the connection. */
const DRAIN_MS = 250;
/** Parts by which the answer has begun. */
const CONTENT: ReadonlySet<string> = new Set([
  'text-delta',
  'reasoning-delta',
  'tool-input-start',
  'tool-call',
]);

type FinishPart = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

export interface LoadedModel {
  readonly adapter: ProviderAdapter;
  readonly model: LanguageModelV4;
}

export interface AnswerSource {
  /** `provider/model`. */
  readonly name: string;
  load(): Promise<LoadedModel>;
  readonly limits: ModelTimeLimits;
  readonly errors: ProviderErrorContext;
}

/**
 * Sends one request and yields its answer. The connection is closed when the answer is complete, when
 * the reader leaves, when `signal` aborts and when the provider goes silent.
 * @throws BulkheadError always, whatever went wrong; never ends without `finish`
 */
export async function* streamAnswer(
  source: AnswerSource,
  call: ModelCall,
  signal: AbortSignal,
): AsyncGenerator<ModelStreamEvent, void, undefined> {
  const end = new AbortController();
  const stop = AbortSignal.any([signal, end.signal]);
  let contentType: string | undefined;
  try {
    stop.throwIfAborted();
    const { adapter, model } = await source.load();
    using watch = new StallWatch(source.limits, (phase) =>
      end.abort(stallError(source.name, phase, source.limits)),
    );
    const result = await model.doStream(callOptions(call, adapter, stop));
    contentType = result.response?.headers?.['content-type'];
    const reader = result.stream.getReader();
    const builder = new AnswerBuilder(adapter.metadataKey, callIdsOf(call));
    let part = await nextPart(reader, watch);
    for (; part !== undefined && part.type !== 'finish'; part = await nextPart(reader, watch)) {
      builder.add(part);
      if (CONTENT.has(part.type)) watch.begun();
      const delta = deltaOf(part);
      if (delta !== undefined) yield delta;
    }
    stop.throwIfAborted();
    const last = finishEvent(source.name, part, builder, contentType);
    await drained(reader);
    yield last;
  } catch (error) {
    if (signal.aborted) throw cancelledError(source.name);
    throw end.signal.aborted ? end.signal.reason : classifyStreamError(error, source, contentType);
  } finally {
    end.abort();
  }
}

/** An answer that is no event stream at all can only be misread: then that is what there is to say. */
function classifyStreamError(
  error: unknown,
  source: AnswerSource,
  contentType: string | undefined,
): BulkheadError {
  const failure = classifyProviderError(error, source.errors);
  const isOther = contentType !== undefined && !contentType.includes('event-stream');
  const isMalformed = failure.details['type'] === MALFORMED_RESPONSE;
  if (isMalformed) return isOther ? cutOffError(source.name, contentType) : failure;
  // The server had said yes: what failed after that is the connection, whatever the package calls it.
  const { status } = failure.details;
  return typeof status === 'number' && status >= 200 && status < 300
    ? cutOffError(source.name, contentType)
    : failure;
}

/** @throws what an error part of the stream carries, or what broke the stream */
async function nextPart(
  reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
  watch: StallWatch,
): Promise<LanguageModelV4StreamPart | undefined> {
  watch.waiting();
  const { value } = await reader.read();
  watch.busy();
  if (value?.type === 'error') throw value.error;
  return value;
}

function deltaOf(part: LanguageModelV4StreamPart): ModelStreamEvent | undefined {
  if (part.type === 'text-delta') return part.delta === '' ? undefined : { type: 'text', text: part.delta };
  if (part.type !== 'reasoning-delta' || part.delta === '') return undefined;
  return { type: 'thinking', text: part.delta };
}

function callOptions(
  call: ModelCall,
  adapter: ProviderAdapter,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const tools = call.tools.length === 0 ? {} : { tools: toTools(call.tools) };
  return {
    prompt: toPrompt(call, adapter),
    maxOutputTokens: call.maxOutputTokens,
    ...tools,
    ...(call.forbidTools && call.tools.length > 0 ? { toolChoice: { type: 'none' } } : {}),
    abortSignal,
  };
}

function callIdsOf(call: ModelCall): string[] {
  return call.messages.flatMap((message) =>
    message.role.case === 'assistant'
      ? message.role.value.parts.flatMap(({ part }) => (part.case === 'toolCall' ? [part.value.callId] : []))
      : [],
  );
}

/** @throws BulkheadError `server_error` if the answer isn't whole */
function finishEvent(
  name: string,
  finish: FinishPart | undefined,
  builder: AnswerBuilder,
  contentType: string | undefined,
): ModelStreamEvent {
  const reason = finish?.finishReason;
  if (finish === undefined || reason === undefined || reason.unified === 'interrupted') {
    throw cutOffError(name, contentType);
  }
  if (reason.unified === 'tool-calls' && !builder.hasCalls) throw lostCallsError(name);
  return {
    type: 'finish',
    message: builder.build(),
    stopReason: toStopReason(reason.unified, builder.hasCalls),
    usage: toUsage(finish.usage),
  };
}

/** Reads to the end of the stream, so that the connection can be used again; gives up after `DRAIN_MS`. */
async function drained(reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>): Promise<void> {
  const { promise: timeUp, resolve } = Promise.withResolvers<'time-up'>();
  const timer = setTimeout(() => resolve('time-up'), DRAIN_MS);
  const readToEnd = async (): Promise<'end'> => {
    while (!(await reader.read()).done);
    return 'end';
  };
  try {
    await Promise.race([readToEnd().catch(() => 'broken'), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
