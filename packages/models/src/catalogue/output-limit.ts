import type { ModelCall, ModelClient } from '@bulkhead/protocol';

/** Beginnings of model names, with the most tokens that one answer may have: the first match counts. */
type Limits = readonly (readonly [name: RegExp, tokens: number])[];

/** https://platform.claude.com/docs/models/overview, read November 2026. */
const ANTHROPIC: Limits = [
  [/^claude-(opus|sonnet|haiku)-4-5(?!\d)/, 64_000],
  [/^claude-opus-4-[678](?!\d)|^claude-sonnet-4-6(?!\d)/, 128_000],
  [/^claude-sonnet-4(-0|-\d{8})?$/, 64_000],
  [/^claude-opus-4(-[01])?(-\d{8})?$/, 32_000],
  [/^claude-3-7/, 64_000],
  [/^claude-3-5/, 8_192],
  [/^claude-(instant|v?2|3)/, 4_096],
  [/^claude-[a-z]+-[5-9]/, 128_000],
];

/** https://developers.openai.com/api/docs/models, read November 2026. */
const OPENAI: Limits = [
  [/^gpt-[5-9]/, 128_000],
  [/^o[134]/, 100_000],
  [/^gpt-4\.1/, 32_768],
  [/^gpt-4o/, 16_384],
];

/** https://ai.google.dev/gemini-api/docs/models, read November 2026. */
const GOOGLE: Limits = [[/^gemini-(2\.5|[3-9])/, 65_536]];

const KNOWN: Readonly<Record<string, Limits>> = { anthropic: ANTHROPIC, openai: OPENAI, google: GOOGLE };

/** For a model without a known limit, where a request has to name one: room for a long file. */
export const LARGE_ANSWER = 32_768;

/** Every model in use accepts this many; of a small window, no more than a quarter. */
export const SMALL_ANSWER = 4_096;

/** Kept free beside an estimated conversation, as a share of it. */
const ESTIMATES_MISS = 0.1;

/** Most tokens of one answer by the model's own rules; undefined if unknown. */
export function modelOutputLimit(provider: string, model: string): number | undefined {
  const limits = Object.hasOwn(KNOWN, provider) ? KNOWN[provider] : undefined;
  return limits?.find(([name]) => name.test(model))?.[1];
}

/**
 * The output limit of a request: as configured, else the model's own maximum, and never more than
 * the context window has room for. Undefined for a model without a known limit: its server's own
 * rule holds. A model with a price always has a limit, because a spend cap counts with it.
 *
 * @param configured tokens; undefined if nothing is configured for this model
 * @param used tokens of the request, as far as they are counted or estimated
 */
export function outputLimitOf(
  { maxOutputTokens, contextWindow, price }: Pick<ModelClient, 'maxOutputTokens' | 'contextWindow' | 'price'>,
  configured: number | undefined,
  used: number,
): ModelCall['maxOutputTokens'] {
  const most = configured ?? maxOutputTokens ?? (price === undefined ? undefined : LARGE_ANSWER);
  if (most === undefined) return undefined;
  const room = Math.floor(contextWindow - used * (1 + ESTIMATES_MISS));
  return Math.min(most, Math.max(room, Math.min(SMALL_ANSWER, Math.floor(contextWindow / 4))));
}
