import { type Action, describeError, type Redaction, type Timers, type Verdict } from '@bulkhead/protocol';
import type { JudgeContext, PresentTier } from '../shield.ts';
import { type EvaluatorPrompt, evaluatorPrompt } from './evaluator-prompt.ts';
import { parseReply } from './evaluator-reply.ts';

/** A place in the budget, or why there is none. */
export type BudgetPlace =
  | { readonly granted: true /** The call is recorded, or was not made. Once. */; done(): void }
  | { readonly granted: false; readonly reason: string };

/** How many calls may be made. It must survive a restart: what was used up stays used up. */
export interface EvaluatorBudget {
  take(): BudgetPlace;
}

export interface EvaluatorParts {
  /**
   * Asks the model. Rejects if there is no answer.
   *
   * @param action only says for whom it is done
   */
  ask(prompt: EvaluatorPrompt, action: Action, signal: AbortSignal): Promise<string>;
  readonly budget: EvaluatorBudget;
  /** Takes secrets out of everything the model is told. */
  readonly redaction: Redaction;
  readonly timers: Timers;
  /** Until no answer is waited for any more, in milliseconds. */
  readonly timeoutMs: number;
  /** A number that can't be guessed and was never used before, as hex digits. */
  nonce(): string;
}

/** An allow that the model is less sure of than this is a person's to decide. */
const LEAST_CONFIDENCE = 0.7;
/** A larger action can't be judged whole, in characters, and half of it is none. */
const MOST_ACTION = 48_000;

/**
 * Tier 2: a model of its own judges what rules leave open [H3]. An answer that is no valid verdict blocks: somebody may have
 * talked it into that. Where no answer is to be had, the tier is as good as absent, and a person decides [H5].
 */
export function createEvaluator(parts: EvaluatorParts): PresentTier {
  return {
    present: true,
    name: 'model evaluator',
    async judge(action, context, signal) {
      if (action.canonical.length > MOST_ACTION)
        return asks('evaluator-size', 'the action is too large to be judged');
      const place = parts.budget.take();
      if (!place.granted) return asks('evaluator-budget', place.reason);
      try {
        return await judged(parts, action, context, signal);
      } finally {
        place.done();
      }
    },
  };
}

async function judged(
  parts: EvaluatorParts,
  action: Action,
  context: JudgeContext,
  signal: AbortSignal,
): Promise<Verdict> {
  const nonces = { data: parts.nonce(), canary: parts.nonce() };
  const prompt = evaluatorPrompt(action, context, nonces, parts.redaction);
  let text: string;
  try {
    text = await withinTime(parts, signal, (until) => parts.ask(prompt, action, until));
  } catch (error) {
    signal.throwIfAborted();
    return asks('evaluator-absent', `the evaluator gave no answer: ${describeError(error)}`);
  }
  const reply = parseReply(text, nonces.canary);
  if (reply === undefined) {
    return verdict('block', 'evaluator-invalid', 'the evaluator gave no valid verdict', 1);
  }
  const { decision, confidence, reason } = reply;
  if (decision === 'allow' && confidence < LEAST_CONFIDENCE) {
    return verdict('escalate', 'evaluator-unsure', reason, confidence);
  }
  return verdict(decision, 'evaluator', reason, confidence);
}

/** Rejects when the time is over, also if the model takes no notice. */
async function withinTime(
  { timers, timeoutMs }: EvaluatorParts,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<string>,
): Promise<string> {
  const over = new AbortController();
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const stop = (): void => {
    over.abort();
    reject(new Error(signal.aborted ? 'cancelled' : `nothing within ${timeoutMs / 1_000} s`));
  };
  using _timer = timers.after(timeoutMs, stop);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([ask(over.signal), expired]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function asks(rule: string, reason: string): Verdict {
  return verdict('escalate', rule, reason, 1);
}

function verdict(decision: Verdict['decision'], rule: string, reason: string, confidence: number): Verdict {
  return { decision, tier: 2, rule, reason, confidence };
}
