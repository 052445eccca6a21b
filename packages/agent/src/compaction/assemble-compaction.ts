import { assembleSummary } from './assemble-summary.ts';
import type { CompactRequest } from './compact-request.ts';
import { PROSE_SECTIONS } from './outline.ts';
import { planCompaction } from './plan-compaction.ts';
import { readAnswer } from './summary-text.ts';

/** Longest answer that is read, in characters. */
const MAX_ANSWER = 64_000;
/** Longest summary, in characters; and no longer than what is kept beside it. */
const MAX_SUMMARY = 24_000;
const LEAST_SUMMARY = 2_000;
const CHARACTERS_PER_TOKEN = 3;

/** A conversation made shorter. */
export interface AssembledCompaction {
  readonly summary: string;
  /** Words of the person that are being worked on and are shown no more, message by message. */
  readonly asked: readonly string[];
  /** How many messages, from the first, it stands for. */
  readonly replaced: number;
  /** True if no model wrote any of it [K3]. */
  readonly byRule: boolean;
}

/**
 * What a conversation becomes: what a model wrote of it, and what code carries whatever it wrote [K2]. For whoever keeps the
 * conversation: of the answer only lines under the asked-for headings are taken, all else comes from the request.
 *
 * @param answer of the model, as it gave it; without one, or if it has none of the headings, all of the summary is by rule
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
