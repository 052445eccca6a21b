import { type Action, type Decision, describeError, type Verdict } from '@bulkhead/protocol';
import { evaluatePolicy } from './policy/evaluate-policy.ts';
import type { Policy } from './policy/policy.ts';

/** Judges actions. Never throws and never allows what it could not judge: that is a block. */
export interface Shield {
  /** The tiers after the policy, in order, for `status`. */
  readonly tiers: readonly { readonly name: string; readonly present: boolean }[];
  judge(action: Action, context: JudgeContext, signal: AbortSignal): Promise<Verdict>;
}

/** What a tier beyond the action itself may need to know. */
export interface JudgeContext {
  /** The user's message that started the run. */
  readonly request: string;
  /** What the agent did before in this session, oldest first. Asked for only where a tier needs it. */
  recent?(): readonly RecentAction[];
}

/** An action that was proposed before, and what became of it. */
export interface RecentAction {
  readonly tool: string;
  /** Without secrets. */
  readonly arguments: unknown;
  /** Undefined if nothing is known of it. */
  readonly decision: Decision | undefined;
  /** What became of it, in a line; empty while it is not over. */
  readonly outcome: string;
}

/** A tier after the policy: analysis (1) or a model that evaluates (2). */
export type ShieldTier = PresentTier | AbsentTier;

export interface PresentTier {
  readonly present: true;
  readonly name: string;
  /** Undefined if it has nothing to say: the next tier decides. */
  judge(action: Action, context: JudgeContext, signal: AbortSignal): Promise<Verdict | undefined>;
}

export interface AbsentTier {
  readonly present: false;
  readonly name: string;
}

export interface ShieldParts {
  /** Called once per action, so that a reload never changes the policy under an action that is judged. */
  readonly policy: () => Policy;
  readonly analysis: ShieldTier;
  readonly evaluator: ShieldTier;
}

/** A tier that is not there. It decides nothing; in its place a person is asked. */
export function notPresent(name: string): AbsentTier {
  return { present: false, name };
}

/**
 * A shield that asks policy, analysis and evaluator in this order. The first that speaks decides; if none
 * does, a person is asked [H5].
 */
export function createShield({ policy, analysis, evaluator }: ShieldParts): Shield {
  const tiers = [analysis, evaluator];
  return {
    tiers: tiers.map(({ name, present }) => ({ name, present })),
    async judge(action, context, signal) {
      try {
        const current = policy();
        let verdict = evaluatePolicy(current, action);
        for (const [index, tier] of tiers.entries()) {
          if (verdict !== undefined || !tier.present) continue;
          signal.throwIfAborted();
          verdict = await tier.judge(action, context, signal);
          if (verdict !== undefined && !isVerdictOf(verdict, index + 1)) {
            return blocked(`${tier.name} gave no valid verdict`);
          }
        }
        signal.throwIfAborted();
        return verdict ?? noMatch(current, tiers);
      } catch (error) {
        return blocked(`the action could not be judged: ${describeError(error)}`);
      }
    },
  };
}

const DECISIONS: ReadonlySet<unknown> = new Set(['allow', 'block', 'escalate']);

/** Types promise this; a tier that wraps a model or a plug-in may break it. */
function isVerdictOf(verdict: Verdict, tier: number): boolean {
  return DECISIONS.has(verdict.decision) && verdict.tier === tier;
}

function blocked(reason: string): Verdict {
  return { decision: 'block', tier: 0, rule: 'shield-error', reason, confidence: 1 };
}

function noMatch(policy: Policy, tiers: readonly ShieldTier[]): Verdict {
  const absent = tiers.filter(({ present }) => !present).map(({ name }) => name);
  const others = absent.length === 0 ? '' : `; not present: ${absent.join(', ')}`;
  const reason = `no rule of policy ${policy.name} matches${others}`;
  return { decision: 'escalate', tier: 0, rule: 'no-match', reason, confidence: 1 };
}
