import { randomBytes } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { DayTotals } from '@bulkhead/log/ledger/day-totals';
import { type SideCallServices, sideCall } from '@bulkhead/processes/models/side-call';
import type { Clock, MachineClock, ModelClient, Redaction, Timers } from '@bulkhead/protocol';
import { MessageSchema } from '@bulkhead/protocol/chat';
import { createEvaluator, type PresentTier } from '@bulkhead/shield';
import { EVALUATOR_PURPOSE, StoredBudget } from './evaluator-budget.ts';

/** A verdict and its reason need a hundred; a model that thinks first needs more. */
const MAX_OUTPUT_TOKENS = 2_000;
const NONCE_BYTES = 16;

/** The evaluator over the model gateway: its calls are counted, capped, and hold no secrets [H3]. */
export function openEvaluator(parts: {
  readonly services: SideCallServices;
  /** The model of the role `shield`. @throws BulkheadError `missing_key` and the like */
  readonly model: () => ModelClient;
  readonly redaction: Redaction;
  readonly clock: Clock;
  readonly machine: MachineClock;
  readonly time: Pick<ConfirmedTime, 'believed'>;
  readonly days: DayTotals;
  readonly timers: Timers;
  readonly timeoutMs: number;
  readonly limits: { readonly perMinute: number; readonly perDay: number };
}): PresentTier {
  const { services, model, redaction, clock, machine, time, days, timers, timeoutMs, limits } = parts;
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
