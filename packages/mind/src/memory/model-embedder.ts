import { create } from '@bufbuild/protobuf';
import type { Ledger } from '@bulkhead/log/ledger/ledger';
import { NO_USAGE } from '@bulkhead/log/session/message-view';
import { costOf, type EmbeddingClient, estimateInputTokens } from '@bulkhead/models';
import { BulkheadError, type Clock, type ModelCall, type Redaction, type Timers } from '@bulkhead/protocol';
import { MessageSchema } from '@bulkhead/protocol/chat';
import type { ModelCallBody } from '@bulkhead/protocol/records';
import type { SessionStore } from '@bulkhead/sessions';

/** Makes vectors in the form that memory's index requires. */
export interface ModelEmbedder {
  /** Provider, model and address: another one's vectors are never compared with these. */
  readonly id: string;
  /** 0 until the first vector came; another one if the server changes it. */
  readonly dimension: number;
  /**
   * @throws BulkheadError `spend_limit`, or what the provider said: the index waits, and words alone answer
   */
  embed(
    texts: readonly string[],
    purpose: 'document' | 'query',
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]>;
}

export interface ModelEmbedderParts {
  readonly client: EmbeddingClient;
  readonly ledger: Ledger;
  readonly store: Pick<SessionStore, 'addSpending'>;
  /** No known secret leaves the machine with the texts [A7]. */
  readonly redaction: Redaction;
  readonly clock: Pick<Clock, 'now'>;
  readonly timers: Timers;
}

/** The caps count what memory takes as if it were a session of its own. */
const SPENDER = 'memory';
/** Characters of one request: some servers refuse more, and one failure costs no more than that. */
const MOST_CHARACTERS = 200_000;
/** Tries of a request for documents; a question is not worth waiting for. */
const TRIES = 3;
const FIRST_WAIT_MS = 1_000;
/** A provider that asks for a longer wait is not waited for. */
const LONGEST_WAIT_MS = 30_000;

/** Embeddings of a provider, within the spend caps, counted under the purpose `embedding` [D2], free of known secrets. */
export function createModelEmbedder(parts: ModelEmbedderParts): ModelEmbedder {
  const { client, redaction } = parts;
  let dimension = 0;
  return {
    id: `${client.name}@${client.baseUrl}`,
    get dimension() {
      return dimension;
    },
    async embed(texts, purpose, signal) {
      const clean = texts.map((text) => redaction.redact(text));
      const vectors: Float32Array[] = [];
      for (const batch of batchesOf(clean, await client.mostTexts())) {
        vectors.push(...(await tried(parts, batch, purpose, signal)));
      }
      const [first] = vectors;
      // With two lengths it is unknown which is right: the index asks again.
      if (vectors.some(({ length }) => length !== first?.length)) throw changedDimension(client.name);
      dimension = first?.length ?? dimension;
      return vectors;
    },
  };
}

async function tried(
  parts: ModelEmbedderParts,
  texts: readonly string[],
  purpose: 'document' | 'query',
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  let wait = FIRST_WAIT_MS;
  for (let left = purpose === 'query' ? 1 : TRIES; ; wait *= 2) {
    left -= 1;
    try {
      return await embedOnce(parts, texts, purpose, signal);
    } catch (error) {
      const failure = BulkheadError.from(error);
      const asked = Number(failure.details['retryAfterMs'] ?? 0);
      const isAnswered = failure.details['answered'] === true;
      if (left <= 0 || !failure.retryable || isAnswered || asked > LONGEST_WAIT_MS) throw failure;
      await pause(parts.timers, Math.max(wait, asked), signal);
    }
  }
}

async function embedOnce(
  { client, ledger, store, clock }: ModelEmbedderParts,
  texts: readonly string[],
  purpose: 'document' | 'query',
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const call = asCall(texts);
  const reservation = ledger.reserve(SPENDER, client.name, client.price, call);
  let body = bodyOf(client, estimateInputTokens(call), { ok: false, estimated: true });
  try {
    const { vectors, tokens } = await client.embed(texts, purpose, signal);
    body = bodyOf(client, tokens ?? body.inputTokens, { ok: true, estimated: tokens === undefined });
    return vectors;
  } catch (error) {
    // A call that was refused or never arrived is free; the cost of a cut-off one, or one without
    // vectors, is unknown.
    if (isUnpaid(error)) body = bodyOf(client, 0, { ok: false, estimated: false });
    throw error;
  } finally {
    reservation.settle(body.cost);
    store.addSpending(body, clock.now());
  }
}

function isUnpaid(error: unknown): boolean {
  const { code, details } = BulkheadError.from(error);
  return code !== 'timeout' && code !== 'cancelled' && details['answered'] !== true;
}

/** The texts as a call without an answer, to compute its maximal cost. */
function asCall(texts: readonly string[]): ModelCall {
  const value = { text: texts.join('\n'), images: [] };
  return {
    system: '',
    messages: [create(MessageSchema, { role: { case: 'user', value } })],
    tools: [],
    forbidTools: true,
    maxOutputTokens: 0,
  };
}

function bodyOf(
  { name, price }: Pick<EmbeddingClient, 'name' | 'price'>,
  inputTokens: number,
  facts: Pick<ModelCallBody, 'estimated' | 'ok'>,
): ModelCallBody {
  const usage = { ...NO_USAGE, inputTokens };
  return {
    purpose: 'embedding',
    model: name,
    ...facts,
    cost: price === undefined ? null : costOf(usage, price),
    ...usage,
  };
}

function batchesOf(texts: readonly string[], most: number): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= most || characters + text.length > MOST_CHARACTERS) {
      batches.push([text]);
      characters = text.length;
    } else {
      last.push(text);
      characters += text.length;
    }
  }
  return batches;
}

async function pause(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  using _timer = timers.after(ms, resolve);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  if (signal.aborted) throw new BulkheadError('cancelled', 'the request for vectors was cancelled');
}

function changedDimension(name: string): BulkheadError {
  return new BulkheadError('server_error', `${name} changed the length of its vectors between two requests`, {
    retryable: true,
  });
}
