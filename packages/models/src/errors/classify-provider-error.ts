import { BulkheadError, type ErrorCode } from '@bulkhead/protocol';
import { failureCode } from './failure-code.ts';
import { failureFix } from './failure-fix.ts';
import type { ProviderErrorContext } from './provider-error-context.ts';
import { type ProviderFailure, readProviderFailure } from './provider-failure.ts';

const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  'rate_limit',
  'overloaded',
  'server_error',
  'timeout',
  // After a compaction [E3].
  'context_overflow',
  'unknown_provider_error',
]);

const LONGEST_MESSAGE = 600;
const LONGEST_BODY = 8_000;

/** Node.js' error for an answer with too many headers. */
const HEADERS_TOO_LONG = 'UND_ERR_HEADERS_OVERFLOW';

/**
 * The typed form of any failure of a model request [E1]. `details` keeps the server's data:
 * `status`, `code`, `type`, `requestId`, `retryAfterMs` [E2], `network` and the error `body`, free
 * of keys. The original error isn't kept as a cause, since it holds the whole request.
 * @param error whatever a provider package threw or put into its stream; one of ours is returned
 *   unchanged
 */
export function classifyProviderError(error: unknown, context: ProviderErrorContext): BulkheadError {
  if (BulkheadError.is(error)) return error;
  const failure = readProviderFailure(error, context.now());
  const code = failureCode(failure);
  // A refused certificate or port will be refused again.
  const lasting = code === 'unknown_provider_error' && failure.network !== undefined;
  const fix = failureFix(code, failure, context);
  return new BulkheadError(code, messageOf(failure, context), {
    retryable: RETRYABLE.has(code) && !lasting,
    details: detailsOf(failure, context),
    ...(fix === undefined ? {} : { fix }),
  });
}

function messageOf(failure: ProviderFailure, context: ProviderErrorContext): string {
  const host = new URL(context.baseUrl).host;
  const who = `${context.provider}/${context.model} (${host})`;
  if (failure.network === HEADERS_TOO_LONG)
    return `${who} sent longer headers than are read (${failure.network})`;
  if (failure.network !== undefined && failure.status === undefined) {
    return `${who} can't be reached: ${failure.network}`;
  }
  const name = failure.code ?? failure.type;
  const labels = [failure.status, name].filter((label) => label !== undefined).join(' ');
  const text = `${who}: ${labels === '' ? '' : `${labels}: `}${failure.message}`;
  const line = redact(text, context.secrets).replaceAll(/\s+/g, ' ');
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line;
}

function detailsOf(failure: ProviderFailure, context: ProviderErrorContext): Record<string, unknown> {
  const { message, body, ...facts } = failure;
  const all = {
    provider: context.provider,
    model: context.model,
    host: new URL(context.baseUrl).host,
    ...facts,
    message,
    body: body?.slice(0, LONGEST_BODY),
  };
  const known = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    known.map(([name, value]) => [name, typeof value === 'string' ? redact(value, context.secrets) : value]),
  );
}

const HIDDEN = '[redacted]';
const SHORTEST_SECRET = 4;

/** Replaces every occurrence of the secrets: servers and libraries quote keys in their errors. */
function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
}
