import type { ErrorCode } from '@bulkhead/protocol';
import { BAD_PORT } from './network-code.ts';
import type { ProviderFailure } from './provider-failure.ts';

/** Codes and types of provider errors, from their API references. */
const BY_NAME: Readonly<Record<string, ErrorCode>> = {
  context_length_exceeded: 'context_overflow',
  request_too_large: 'context_overflow',
  string_above_max_length: 'context_overflow',
  exceed_context_size_error: 'context_overflow',
  insufficient_quota: 'billing',
  billing_hard_limit_reached: 'billing',
  billing_not_active: 'billing',
  billing_error: 'billing',
  quota_exceeded: 'billing',
  payment_required: 'billing',
  insufficient_balance: 'billing',
  insufficient_credits: 'billing',
  spend_limit_exceeded: 'billing',
  rate_limit_exceeded: 'rate_limit',
  rate_limit_error: 'rate_limit',
  rate_limit_reached: 'rate_limit',
  resource_exhausted: 'rate_limit',
  too_many_requests: 'rate_limit',
  overloaded_error: 'overloaded',
  provider_overloaded: 'overloaded',
  server_is_overloaded: 'overloaded',
  slow_down: 'overloaded',
  engine_overloaded: 'overloaded',
  unavailable: 'overloaded',
  invalid_api_key: 'auth_permanent',
  incorrect_api_key: 'auth_permanent',
  api_key_invalid: 'auth_permanent',
  account_deactivated: 'auth_permanent',
  api_key_revoked: 'auth_permanent',
  authentication_error: 'auth',
  permission_error: 'auth',
  permission_denied: 'auth',
  unauthenticated: 'auth',
  model_not_found: 'model_not_found',
  deployment_not_found: 'model_not_found',
  not_found_error: 'model_not_found',
  content_filter: 'content_blocked',
  content_policy_violation: 'content_blocked',
  moderation_blocked: 'content_blocked',
  responsible_ai_policy_violation: 'content_blocked',
  timeout_error: 'timeout',
  deadline_exceeded: 'timeout',
  api_error: 'server_error',
  server_error: 'server_error',
  internal_server_error: 'server_error',
  internal: 'server_error',
  malformed_response: 'server_error',
};

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'format_error',
  401: 'auth',
  402: 'billing',
  403: 'auth',
  404: 'model_not_found',
  405: 'format_error',
  408: 'timeout',
  413: 'context_overflow',
  415: 'format_error',
  422: 'format_error',
  429: 'rate_limit',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
};

const TIMEOUT_NETWORK = /TIMEDOUT|TIMEOUT/;
const CERTIFICATE_NETWORK = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/;

/**
 * Maps a failure to our code [E1]: by the provider's own code, its type, the status, the broken
 * connection, in this order. Reads the text only if those are ambiguous.
 */
export function failureCode(failure: ProviderFailure): ErrorCode {
  const named = byName(failure.code) ?? byName(failure.type);
  const known = named === 'server_error' ? serverError(failure) : (named ?? byStatus(failure.status));
  return refinedByText(known ?? byNetwork(failure) ?? 'unknown_provider_error', failure);
}

function byName(name: string | undefined): ErrorCode | undefined {
  const key = name?.toLowerCase();
  return key !== undefined && Object.hasOwn(BY_NAME, key) ? BY_NAME[key] : undefined;
}

function byStatus(status: number | undefined): ErrorCode | undefined {
  if (status === undefined || status < 400) return undefined;
  return BY_STATUS[status] ?? (status >= 500 ? 'server_error' : undefined);
}

/** If the name only says that the server failed, the status may say more: overloaded, timeout. */
function serverError({ status }: ProviderFailure): ErrorCode {
  const code = byStatus(status);
  return code === 'overloaded' || code === 'timeout' ? code : 'server_error';
}

function byNetwork({ network }: ProviderFailure): ErrorCode | undefined {
  if (network === undefined || network === BAD_PORT || CERTIFICATE_NETWORK.test(network)) return undefined;
  return TIMEOUT_NETWORK.test(network) ? 'timeout' : 'server_error';
}

const BAD_KEY =
  /(invalid|incorrect|revoked|deactivated|expired).{0,20}(api|x-api)[ _-]?key|(api|x-api)[ _-]?key.{0,30}(invalid|incorrect|revoked|not valid|leaked)/i;

function refinedByText(code: ErrorCode, failure: ProviderFailure): ErrorCode {
  const { message } = failure;
  switch (code) {
    case 'format_error':
      return formatByText(message);
    case 'auth':
      return BAD_KEY.test(message) ? 'auth_permanent' : code;
    case 'rate_limit':
      return rateLimitByText(failure);
    default:
      return code;
  }
}

/**
 * Google mentions "current quota" and "billing details" for every limit, even one with a retry
 * time.
 */
function rateLimitByText({ message, retryAfterMs }: ProviderFailure): ErrorCode {
  if (/credits are depleted|out of credits/i.test(message)) return 'billing';
  const isQuota = /(exceeded|out of|no).{0,30}(current quota|credits?|balance)|billing details/i.test(
    message,
  );
  return isQuota && retryAfterMs === undefined ? 'billing' : 'rate_limit';
}

/** Anthropic and many servers name these only in the text of a plain "invalid request". */
function formatByText(message: string): ErrorCode {
  if (
    /prompt (is )?too long|context (length|window|size)|maximum context|too many tokens|exceed.{0,30}context|token count.{0,40}exceeds/i.test(
      message,
    )
  ) {
    return 'context_overflow';
  }
  if (/credit balance is too low|insufficient (credits?|balance|funds)/i.test(message)) return 'billing';
  if (/content (management )?(policy|filter)|safety system|flagged (by|as)/i.test(message))
    return 'content_blocked';
  return 'format_error';
}
