import { expect, it } from 'vitest';
import { BulkheadError, type ErrorCode, errorCode } from './errors.ts';
import type { EventType } from './events.ts';
import { parseEventHeader } from './transcript/parse-event.ts';

/*
 * Names that outside programs rely on, as literals: a change here changes those programs. The
 * compiler ensures complete lists: a missing or additional name is a type error.
 */
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
  spend_limit: true,
  answer_limit: true,
  interrupted: true,
  agent_failed: true,
  worker_failed: true,
  protocol_violation: true,
  store_corrupt: true,
  store_failed: true,
  audit_failed: true,
  internal: true,
};

/** `ephemeral` ones carry the `seq` of the durable event they precede. */
const EVENTS: Readonly<Record<EventType, 'durable' | 'ephemeral'>> = {
  agent_start: 'durable',
  agent_end: 'durable',
  turn_start: 'durable',
  turn_end: 'durable',
  message_start: 'durable',
  message_end: 'durable',
  client_call: 'durable',
  tool_call: 'durable',
  tool_output: 'durable',
  action_started: 'durable',
  shield_verdict: 'durable',
  approval_requested: 'durable',
  approval_decided: 'durable',
  action_completed: 'durable',
  retry_start: 'durable',
  retry_end: 'durable',
  queue_update: 'durable',
  state_change: 'durable',
  session_before_compact: 'durable',
  session_compact: 'durable',
  run_resumed: 'durable',
  session_title: 'durable',
  label: 'durable',
  leaf_moved: 'durable',
  response_complete: 'durable',
  save_point: 'durable',
  settled: 'durable',
  idle: 'durable',
  error: 'durable',
  text_delta: 'ephemeral',
  thinking_delta: 'ephemeral',
  tool_delta: 'ephemeral',
  gap: 'ephemeral',
};

it('knows every error code by its name, and no other', () => {
  for (const code of Object.keys(CODES)) expect(errorCode(code)).toBe(code);
  expect(Object.keys(CODES)).toHaveLength(39);
  expect(errorCode('brand_new')).toBeUndefined();
  expect(new BulkheadError('usage', 'x').code).toBe('usage');
});

it('knows every event by its name', () => {
  expect(Object.keys(EVENTS)).toHaveLength(33);
  for (const type of Object.keys(EVENTS)) {
    expect(parseEventHeader(JSON.stringify({ type, seq: 1, turn: '' })).type).toBe(type);
  }
});
