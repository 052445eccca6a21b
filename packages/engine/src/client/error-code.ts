import type { ErrorCode } from '@bulkhead/protocol';

const CODES: Readonly<Record<ErrorCode, true>> = {
  usage: true,
  config_invalid: true,
  not_available: true,
  already_running: true,
  not_running: true,
  unauthenticated: true,
  not_found: true,
  busy: true,
  sandbox_unavailable: true,
  invalid_arguments: true,
  unknown_tool: true,
  blocked: true,
  denied: true,
  tool_failed: true,
  timeout: true,
  cancelled: true,
  rate_limit: true,
  overloaded: true,
  server_error: true,
  context_overflow: true,
  auth: true,
  auth_permanent: true,
  billing: true,
  model_not_found: true,
  content_blocked: true,
  format_error: true,
  unknown_provider_error: true,
  missing_key: true,
  round_limit: true,
  agent_failed: true,
  worker_failed: true,
  protocol_violation: true,
  store_corrupt: true,
  store_failed: true,
  audit_failed: true,
  internal: true,
};

/** `value` as one of our codes; undefined for what a newer or foreign peer says. */
export function errorCode(value: unknown): ErrorCode | undefined {
  return typeof value === 'string' && isCode(value) ? value : undefined;
}

function isCode(value: string): value is ErrorCode {
  return Object.hasOwn(CODES, value);
}
