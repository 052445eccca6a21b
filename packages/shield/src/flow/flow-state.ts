import { BulkheadError, EFFECT_KINDS, FIELD_USES, SECRECY_LEVELS, WRITERS } from '@bulkhead/protocol';
import * as z from 'zod';
import { TRUST_LEVELS } from '../annotations/flow-policy.ts';
import { CLEAN } from './label.ts';

const value = z.strictObject({
  text: z.string(),
  normal: z.string(),
  call: z.number(),
  tool: z.string(),
  field: z.string(),
  row: z.string(),
  list: z.string(),
  writer: z.enum(WRITERS),
  as: z.enum(FIELD_USES),
});

const flowStateSchema = z.strictObject({
  version: z.literal(1),
  requests: z.array(z.string()),
  observations: z.array(
    z.strictObject({
      index: z.number(),
      tool: z.string(),
      effect: z.enum(EFFECT_KINDS),
      arguments: z.array(z.string()),
      pointed: z.boolean(),
      values: z.array(value),
    }),
  ),
  label: z.strictObject({ secrecy: z.enum(SECRECY_LEVELS), trust: z.enum(TRUST_LEVELS) }),
  needles: z.array(z.strictObject({ core: z.string(), secrecy: z.enum(SECRECY_LEVELS), source: z.string() })),
  /** Used look-ups: each document gives one value of a type. */
  lookups: z.array(z.string()),
  /** Values that the user endorsed explicitly. */
  trusted: z.array(z.string()),
});

/** Flow's whole state of a session, as plain data; a replay of the session's log reproduces it. */
export type FlowState = z.output<typeof flowStateSchema>;

export function emptyFlowState(label = CLEAN): FlowState {
  return { version: 1, requests: [], observations: [], label, needles: [], lookups: [], trusted: [] };
}

/**
 * Reads a stored state.
 * @throws BulkheadError `store_corrupt` for an invalid state: then replay the session's log, and
 * never guess the state
 */
export function readFlowState(stored: unknown): FlowState {
  const result = flowStateSchema.safeParse(stored);
  if (result.success) return result.data;
  throw new BulkheadError('store_corrupt', 'the stored state of information flow is not of version 1', {
    fix: "Rebuild it from the session's log.",
  });
}
