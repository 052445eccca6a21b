import { create } from '@bufbuild/protobuf';
import type { ModelRole } from '@bulkhead/home/config/config-schema';
import { createModelClient, type KeySources } from '@bulkhead/models';
import { settingsOf } from '@bulkhead/processes/models/model-choice';
import { BulkheadError, type Clock, type ModelCall } from '@bulkhead/protocol';
import { MessageSchema } from '@bulkhead/protocol/chat';

/** Long enough for a small machine to load its model, short enough to wait for. */
const FIRST_PIECE_MS = 25_000;
const WHOLE_MS = 30_000;
/** Some models think before they answer. */
const MAX_TOKENS = 512;

/** A model's answer, or its failure. */
export type TrialResult =
  | { readonly ok: true; readonly milliseconds: number }
  | { readonly ok: false; readonly milliseconds: number; readonly error: BulkheadError };

/**
 * Sends one short request. A failure is a result, not an error.
 *
 * @param keys only those that may go to the role's address
 */
export async function tryModel(
  role: ModelRole,
  keys: KeySources,
  clock: Clock,
  signal: AbortSignal,
): Promise<TrialResult> {
  const begun = clock.monotonic();
  const took = () => Math.round(clock.monotonic() - begun);
  try {
    const limits = { firstTokenMs: FIRST_PIECE_MS, idleMs: FIRST_PIECE_MS, totalMs: WHOLE_MS };
    const client = createModelClient(settingsOf(role), keys, { limits });
    for await (const event of client.stream(greeting(role), signal)) {
      if (event.type === 'finish') return { ok: true, milliseconds: took() };
    }
    throw new BulkheadError('server_error', 'the answer had no end');
  } catch (error) {
    return { ok: false, milliseconds: took(), error: BulkheadError.from(error) };
  }
}

function greeting({ maxOutputTokens = MAX_TOKENS }: ModelRole): ModelCall {
  const text = 'This is a test of the connection. Answer with one word: ready';
  return {
    system: 'You answer in one word.',
    messages: [create(MessageSchema, { role: { case: 'user', value: { text } } })],
    tools: [],
    forbidTools: true,
    maxOutputTokens: Math.min(maxOutputTokens, MAX_TOKENS),
  };
}
