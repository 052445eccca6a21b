import { assembleSummary } from './assemble-summary.ts';
import type { CompactRequest } from './compact-request.ts';
import { PROSE_SECTIONS } from './outline.ts';
import { planCompaction } from './plan-compaction.ts';
import { readAnswer } from './summary-text.ts';

/** Longest answer that is used, in characters. */
const MAX_ANSWER = 64_000;
/** Longest summary, in characters; and never longer than the kept messages. */
const MAX_SUMMARY = 24_000;
const LEAST_SUMMARY = 2_000;
const CHARACTERS_PER_TOKEN = 3;

/** A compacted conversation. */
export interface AssembledCompaction {
  readonly summary: string;
  /** The person's messages that are being worked on and no longer shown, one per entry. */
  readonly asked: readonly string[];
  /** The number of messages it replaces, from the first. */
  readonly replaced: number;
  /** True if no model wrote any part of it [K3]. */
  readonly byRule: boolean;
}

/**
 * Builds a compacted conversation from a model's answer and the parts that code always adds [K2].
 * It is for the process that keeps the conversation: only lines under the requested headings come
 * from the answer, all else from the request.
 *
 * @param answer of the model, unchanged; without one, or if it has none of the headings, the whole
 *   summary is made by rule
 * @returns undefined if there is nothing to gain
 */
export function assembleCompaction(request: CompactRequest, answer = ''): AssembledCompaction | undefined {
  const plan = planCompaction(request);
  if (plan === undefined) return undefined;
  const written = readAnswer(answer.slice(0, MAX_ANSWER), PROSE_SECTIONS);
  const most = Math.min(MAX_SUMMARY, Math.max(LEAST_SUMMARY, request.keepTokens * CHARACTERS_PER_TOKEN));
  const words = plan.carried.reduce((sum, { length }) => sum + length, 0);
  const summary = assembleSummary(plan, written, Math.max(LEAST_SUMMARY, most - words));
  return { summary, asked: plan.carried, replaced: plan.old.length, byRule: written === undefined };
}
