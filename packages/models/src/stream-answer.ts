import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { BulkheadError, type ModelCall, type ModelStreamEvent } from '@bulkhead/protocol';
import { AnswerBuilder } from './answer-builder.ts';
import { AnswerLimit } from './answer-limit.ts';
import { AnswerReceipt } from './answer-receipt.ts';
import { toCallOptions } from './call-options.ts';
import { classifyProviderError } from './errors/classify-provider-error.ts';
import type { ProviderErrorContext } from './errors/provider-error-context.ts';
import { MALFORMED_RESPONSE } from './errors/provider-failure.ts';
import { toStopReason, toUsage } from './finish-fields.ts';
import type { ModelTimeLimits } from './model-settings.ts';
import type { ProviderAdapter, RequestWishes } from './provider-adapter.ts';
import { StallWatch } from './stall-watch.ts';
import {
  type AnswerFormat,
  cancelledError,
  cutOffError,
  lostCallsError,
  stallError,
  tooSlowError,
} from './stream-errors.ts';

/** How deep an error's causes are searched. */
const MAX_CAUSES = 8;

type FinishPart = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

export interface LoadedModel {
  readonly adapter: ProviderAdapter;
  readonly model: LanguageModelV4;
}

export interface AnswerSource {
  /** `provider/model`. */
  readonly name: string;
  load(): Promise<LoadedModel>;
  readonly wishes: RequestWishes;
  readonly limits: ModelTimeLimits;
  readonly errors: ProviderErrorContext;
}

/**
 * Sends one request and yields its answer. The connection is closed when the answer is complete,
 * when the reader leaves, when `signal` aborts and when the provider goes silent.
 * @throws BulkheadError always, whatever went wrong; never ends without `finish`. `details.usage`
 * and `details.received` describe the received part
 */
export async function* streamAnswer(
  source: AnswerSource,
  call: ModelCall,
  signal: AbortSignal,
): AsyncGenerator<ModelStreamEvent, void, undefined> {
  const end = new AbortController();
  const stop = AbortSignal.any([signal, end.signal]);
  let format: AnswerFormat = { name: source.name, expected: undefined, contentType: undefined };
  let receipt: AnswerReceipt | undefined;
  try {
    stop.throwIfAborted();
    const { adapter, model } = await source.load();
    format = { ...format, expected: adapter.streamType };
    receipt = new AnswerReceipt(adapter.usageOf);
    using _total = endAfter(source.limits.totalMs, () => end.abort(tooSlowError(source.name, source.limits)));
    using watch = new StallWatch(source.limits, (phase) =>
      end.abort(stallError(source.name, phase, source.limits)),
    );
    const result = await model.doStream(toCallOptions(call, adapter, source.wishes, stop));
    format = { ...format, contentType: result.response?.headers?.['content-type'] };
    const reader = result.stream.getReader();
    const limit = new AnswerLimit(source.name);
    const builder = new AnswerBuilder(adapter.metadataKey, source.wishes.model, callIdsOf(call));
    let part = await nextPart(reader, watch, receipt);
    for (; part !== undefined && part.type !== 'finish'; part = await nextPart(reader, watch, receipt)) {
      limit.add(part);
      builder.add(part);
      if (receipt.received) watch.begun();
      const delta = deltaOf(part);
      if (delta !== undefined) yield delta;
    }
    stop.throwIfAborted();
    if (adapter.keepsFinishMetadata === true) builder.addMessageMetadata(part?.providerMetadata);
    const last = finishEvent(format, part, builder);
    await drainStream(reader);
    yield last;
  } catch (error) {
    const failure = failureOf(error, source, format, signal, end.signal);
    throw receipt?.attachTo(failure) ?? failure;
  } finally {
    end.abort();
  }
}

/** The cause of the stream's end: the caller, our own limits, else the thrown error. */
function failureOf(
  error: unknown,
  source: AnswerSource,
  format: AnswerFormat,
  caller: AbortSignal,
  ours: AbortSignal,
): BulkheadError {
  if (caller.aborted) return cancelledError(source.name);
  const known = ownErrorIn(error);
  if (known?.code === 'answer_limit') return known;
  return ours.aborted
    ? classifyProviderError(ours.reason, source.errors)
    : classifyStreamError(error, source, format);
}

/** An error of ours, even if a provider package has wrapped it. */
function ownErrorIn(error: unknown): BulkheadError | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth += 1) {
    if (BulkheadError.is(cause)) return cause;
    cause = cause.cause;
  }
  return undefined;
}

/** An answer that is not an event stream can only be misread: report that. */
function classifyStreamError(error: unknown, source: AnswerSource, format: AnswerFormat): BulkheadError {
  const failure = classifyProviderError(error, source.errors);
  const { contentType, expected = '' } = format;
  const isOther = contentType !== undefined && !contentType.includes(expected);
  const isMalformed = failure.details['type'] === MALFORMED_RESPONSE;
  if (isMalformed) return isOther ? cutOffError(format) : failure;
  // The server had accepted: a later failure is the connection's, whatever the package calls it.
  const { status } = failure.details;
  return typeof status === 'number' && status >= 200 && status < 300 ? cutOffError(format) : failure;
}

/**
 * The next part with content. Records usage from raw chunks; a chunk without a part is no sign of
 * progress, otherwise a server that only keeps the connection open would never count as stalled.
 * @throws the error of an error part, or the error that broke the stream
 */
async function nextPart(
  reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
  watch: StallWatch,
  receipt: AnswerReceipt,
): Promise<LanguageModelV4StreamPart | undefined> {
  watch.waiting();
  let { value } = await reader.read();
  for (; value?.type === 'raw'; { value } = await reader.read()) receipt.count(value.rawValue);
  watch.busy();
  if (value?.type === 'error') {
    // Packages report the usage after the error, if the provider did.
    await drainStream(reader, (rest) => receipt.add(rest));
    throw value.error;
  }
  if (value !== undefined) receipt.add(value);
  return value;
}

function deltaOf(part: LanguageModelV4StreamPart): ModelStreamEvent | undefined {
  if (part.type === 'text-delta') return part.delta === '' ? undefined : { type: 'text', text: part.delta };
  if (part.type !== 'reasoning-delta' || part.delta === '') return undefined;
  return { type: 'thinking', text: part.delta };
}

function callIdsOf(call: ModelCall): string[] {
  return call.messages.flatMap((message) =>
    message.role.case === 'assistant'
      ? message.role.value.parts.flatMap(({ part }) => (part.case === 'toolCall' ? [part.value.callId] : []))
      : [],
  );
}

/** @throws BulkheadError `server_error` if the answer is incomplete */
function finishEvent(
  format: AnswerFormat,
  finish: FinishPart | undefined,
  builder: AnswerBuilder,
): ModelStreamEvent {
  const reason = finish?.finishReason;
  if (finish === undefined || reason === undefined || reason.unified === 'interrupted') {
    throw cutOffError(format);
  }
  if (reason.unified === 'length') builder.endCut();
  if (reason.unified === 'tool-calls' && !builder.hasCalls) throw lostCallsError(format.name);
  return {
    type: 'finish',
    message: builder.build(),
    stopReason: toStopReason(reason.unified, builder.hasCalls),
    usage: toUsage(finish.usage),
  };
}

/**
 * Includes time in which the reader is slow: an endless answer must not hold its run forever
 * [FT68].
 */
function endAfter(milliseconds: number, run: () => void): Disposable {
  const timer = setTimeout(run, milliseconds);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

/**
 * Time a server has to close its stream after its last part; then we close and lose the connection.
 */
const DRAIN_MS = 250;

/**
 * Reads a stream to its end, so that the connection can be reused; gives up after `DRAIN_MS`.
 * @param see receives the remaining parts
 */
async function drainStream<T>(
  reader: ReadableStreamDefaultReader<T>,
  see: (value: T) => void = () => undefined,
): Promise<void> {
  const { promise: timeUp, resolve } = Promise.withResolvers<'time-up'>();
  const timer = setTimeout(() => resolve('time-up'), DRAIN_MS);
  const readToEnd = async (): Promise<'end'> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) see(next.value);
    return 'end';
  };
  try {
    await Promise.race([readToEnd().catch(() => 'broken'), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
