import { randomBytes } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { Context } from '@bulkhead/log/context';
import type { DayTotals } from '@bulkhead/log/ledger/day-totals';
import { type SideCallServices, sideCall } from '@bulkhead/processes/models/side-call';
import type { MachineClock, ModelClient } from '@bulkhead/protocol';
import { MessageSchema } from '@bulkhead/protocol/chat';
import { createEvaluator, type PresentTier } from '@bulkhead/shield';
import { EVALUATOR_PURPOSE, StoredBudget } from './evaluator-budget.ts';

/** A verdict and its reason need a hundred tokens; a reasoning model needs more. */
const MAX_OUTPUT_TOKENS = 2_000;
const NONCE_BYTES = 16;

/**
 * The evaluator over the model gateway: its calls are counted and capped, and contain no secrets
 * [H3].
 */
export function openEvaluator(
  context: Pick<Context, 'clock' | 'timers' | 'log' | 'redaction'>,
  parts: {
    readonly ledger: SideCallServices['ledger'];
    /** The model of the role `shield`. @throws BulkheadError `missing_key` and the like */
    readonly model: () => ModelClient;
    readonly machine: MachineClock;
    readonly time: Pick<ConfirmedTime, 'believed'>;
    readonly days: DayTotals;
    readonly timeoutMs: number;
    readonly limits: { readonly perMinute: number; readonly perDay: number };
  },
): PresentTier {
  const { clock, timers, log, redaction } = context;
  const { ledger, model, machine, time, days, timeoutMs, limits } = parts;
  const services = { log, ledger, now: () => clock.now() };
  return createEvaluator({
    budget: new StoredBudget({ store: services.log.store, clock, machine, time, days, ...limits }),
    timers,
    timeoutMs,
    nonce: () => randomBytes(NONCE_BYTES).toString('hex'),
    redaction,
    ask: ({ system, prompt: text }, { sessionId }, signal) => {
      const call = {
        system,
        messages: [create(MessageSchema, { role: { case: 'user', value: { text } } })],
        tools: [],
        forbidTools: true,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
      };
      return sideCall(services, EVALUATOR_PURPOSE, sessionId, model(), call, signal);
    },
  });
}
