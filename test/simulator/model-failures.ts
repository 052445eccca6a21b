import { BulkheadError, type ErrorCode } from '@bulkhead/protocol';
import type { SeededRandom } from '@bulkhead/testkit/simulation';

/** Every way a provider fails, by weight; true means retryable [E1]. */
const FAILURES: Readonly<Record<string, { readonly weight: number; readonly retryable: boolean }>> = {
  rate_limit: { weight: 4, retryable: true },
  overloaded: { weight: 4, retryable: true },
  server_error: { weight: 4, retryable: true },
  timeout: { weight: 3, retryable: true },
  context_overflow: { weight: 2, retryable: true },
  unknown_provider_error: { weight: 2, retryable: true },
  auth: { weight: 1, retryable: false },
  auth_permanent: { weight: 1, retryable: false },
  billing: { weight: 1, retryable: false },
  model_not_found: { weight: 1, retryable: false },
  content_blocked: { weight: 1, retryable: false },
  format_error: { weight: 1, retryable: false },
};

const WEIGHTS = Object.fromEntries(Object.entries(FAILURES).map(([code, { weight }]) => [code, weight]));

/** A provider's failure, chosen by the seed. */
export function seededFailure(random: SeededRandom): BulkheadError {
  const code = random.weighted(WEIGHTS);
  const retryable = FAILURES[code]?.retryable ?? false;
  const retryAfterMs = random.pick([undefined, undefined, 1_000, 30_000, 90_000]);
  const usage = { inputTokens: 7, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };
  return new BulkheadError(code as ErrorCode, `the provider said ${code} (simulated)`, {
    retryable,
    details: {
      ...(retryAfterMs === undefined || !retryable ? {} : { retryAfterMs }),
      ...(random.chance(0.3) ? { usage } : {}),
    },
  });
}
