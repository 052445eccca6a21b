import { type Action, describeError, type Redaction, type Timers, type Verdict } from '@bulkhead/protocol';
import type { JudgeContext, PresentTier } from '../shield.ts';
import { type EvaluatorPrompt, evaluatorPrompt } from './evaluator-prompt.ts';
import { parseReply } from './evaluator-reply.ts';

/** A place in the budget, or the reason why there is none. */
export type BudgetPlace =
  | { readonly granted: true /** The call is recorded, or was not made. Once. */; done(): void }
  | { readonly granted: false; readonly reason: string };

/** The number of calls allowed. The count of used calls must survive a restart. */
export interface EvaluatorBudget {
  take(): BudgetPlace;
}

export interface EvaluatorParts {
  /**
   * Asks the model. Rejects if there is no answer.
   *
   * @param action identifies the requester only
   */
  ask(prompt: EvaluatorPrompt, action: Action, signal: AbortSignal): Promise<string>;
  readonly budget: EvaluatorBudget;
  /** Redacts secrets from everything the model receives. */
  readonly redaction: Redaction;
  readonly timers: Timers;
  /** Time limit of an answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Returns hex digits of a number that can't be guessed and was never used before. */
  nonce(): string;
}

/** An allow with less confidence goes to a person. */
const LEAST_CONFIDENCE = 0.7;
/** A larger action, in characters, can't be judged as a whole; a part is never judged alone. */
const MOST_ACTION = 48_000;

/**
 * Tier 2: a separate model judges actions that the rules leave open [H3]. An invalid verdict
 * blocks: data may have manipulated the model. Without an answer, the tier counts as absent, and a
 * person decides [H5].
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

/** Rejects after the time limit, also if the model ignores the signal. */
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
