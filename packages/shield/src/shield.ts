import type { ToolAnnotations } from '@bulkhead/protocol';
import { type Action, DECISIONS, type Decision, describeError, type Verdict } from '@bulkhead/protocol';
import { explainPolicy, type HandedOn } from './policy/explain-policy.ts';
import type { Policy } from './policy/policy.ts';
import type { PolicyFacts, StartedBy } from './policy/policy-case.ts';

/**
 * Judges actions. Never throws, and never allows an action that it could not judge: that is a
 * block.
 */
export interface Shield {
  /** The tiers after the policy, in order, for `status`. */
  readonly tiers: readonly { readonly name: string; readonly present: boolean }[];
  judge(action: Action, context: JudgeContext, signal: AbortSignal): Promise<Verdict>;
}

/** Facts for tiers beyond the action. Absent facts are unknown. */
export interface JudgeContext extends Omit<PolicyFacts, 'startedBy' | 'annotations'> {
  /** The user's words that still hold (`standingWords`). */
  readonly request: string;
  /** Set for the evaluator where the analysis did not decide: its result. */
  readonly doubt?: Verdict;
  /**
   * The agent's earlier actions in this session, oldest first. Called only if a tier needs them.
   */
  recent?(): readonly RecentAction[];
}

/** An earlier action, with its outcome. */
export interface RecentAction {
  readonly tool: string;
  /** Without secrets. */
  readonly arguments: unknown;
  /** Undefined if unknown. */
  readonly decision: Decision | undefined;
  /** Its outcome, in a line; empty while it is running. */
  readonly outcome: string;
}

/** A tier after the policy: analysis (1) or a model that evaluates (2). */
export type ShieldTier = PresentTier | AbsentTier;

export interface PresentTier {
  readonly present: true;
  readonly name: string;
  /** Undefined if it has no decision: the next tier decides. */
  judge(action: Action, context: JudgeContext, signal: AbortSignal): Promise<Verdict | undefined>;
}

export interface AbsentTier {
  readonly present: false;
  readonly name: string;
}

export interface ShieldParts {
  /**
   * Called once per action, so that a reload never changes the policy of an action being judged
   * [FT24].
   */
  readonly policy: () => Policy;
  readonly analysis: ShieldTier;
  readonly evaluator: ShieldTier;
  /** For policy rules about program and arguments; absent, only a command's text is known. */
  readonly startedBy?: StartedBy;
  /** For policy rules about recipients. */
  readonly annotations?: Pick<ToolAnnotations, 'get'>;
}

/** A tier that is absent. It decides nothing; a person is asked in its place. */
export function notPresent(name: string): AbsentTier {
  return { present: false, name };
}

/**
 * Creates a shield that asks policy, analysis and evaluator in this order [H5]:
 *
 * - a block by any of them is final;
 * - an allow of tier n is final only if n is at least the `minTier` of the rule that matched (0
 * where none did);
 * - otherwise, without a decision, or after an escalation by the analysis, the next tier decides;
 * - after the last, or where it is absent, a person does. Silence never becomes an allow;
 * - a person's permanent approval allows, unless the analysis blocks it.
 */
export function createShield(parts: ShieldParts): Shield {
  const { policy, analysis, evaluator } = parts;
  const tiers = [analysis, evaluator];
  return {
    tiers: tiers.map(({ name, present }) => ({ name, present })),
    async judge(action, context, signal) {
      let current: Policy | undefined;
      try {
        current = policy();
        return under(current, await judgeBy(current, parts, { action, context, signal }));
      } catch (error) {
        return under(current, blocked(`the action could not be judged: ${describeError(error)}`));
      }
    },
  };
}

interface Judgement {
  readonly action: Action;
  readonly context: JudgeContext;
  readonly signal: AbortSignal;
}

async function judgeBy(policy: Policy, parts: ShieldParts, judgement: Judgement): Promise<Verdict> {
  const { startedBy, annotations, analysis, evaluator } = parts;
  const facts: PolicyFacts = {
    ...judgement.context,
    ...(startedBy === undefined ? {} : { startedBy }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  const { verdict, answered, handedOn } = explainPolicy(policy, judgement.action, facts);
  if (verdict !== undefined && answered !== true) return verdict;
  const first = await ask(analysis, 1, judgement);
  if (first?.decision === 'block' || first?.ownYes === true) return first;
  if (verdict !== undefined) return verdict;
  if (first !== undefined && isFinal(first, handedOn)) return first;
  const doubt = first?.decision === 'escalate' ? first : undefined;
  const context = { ...judgement.context, ...(doubt === undefined ? {} : { doubt }) };
  const second = await ask(evaluator, 2, { ...judgement, context });
  return second ?? doubt ?? undecided(policy, handedOn, [analysis, evaluator]);
}

/** Returns a tier's verdict; a block if it is not a valid one. */
async function ask(tier: ShieldTier, number: 1 | 2, judgement: Judgement): Promise<Verdict | undefined> {
  if (!tier.present) return undefined;
  const { action, context, signal } = judgement;
  signal.throwIfAborted();
  const verdict = await tier.judge(action, context, signal);
  signal.throwIfAborted();
  return verdict === undefined || isVerdictOf(verdict, number)
    ? verdict
    : blocked(`${tier.name} gave no valid verdict`);
}

function isFinal({ decision, tier }: Verdict, handedOn: HandedOn | undefined): boolean {
  return decision === 'allow' ? tier >= (handedOn?.minTier ?? 0) : decision === 'block';
}

const KNOWN: ReadonlySet<unknown> = new Set(DECISIONS);

/** Types promise this; a tier that wraps a model or a plug-in may break it. */
function isVerdictOf(verdict: Verdict, tier: number): boolean {
  return KNOWN.has(verdict.decision) && verdict.tier === tier;
}

function blocked(reason: string): Verdict {
  return { decision: 'block', tier: 0, rule: 'shield-error', reason, confidence: 1 };
}

/** Adds the version of the policy, for the audit log. */
function under(policy: Policy | undefined, verdict: Verdict): Verdict {
  return policy === undefined || policy.digest === '' ? verdict : { ...verdict, policy: policy.digest };
}

/** A person must decide: no tier allowed it. */
function undecided(policy: Policy, handedOn: HandedOn | undefined, tiers: readonly ShieldTier[]): Verdict {
  const absent = tiers.filter(({ present }) => !present).map(({ name }) => name);
  const others = absent.length === 0 ? '' : `; not present: ${absent.join(', ')}`;
  const why =
    handedOn === undefined
      ? `no rule of policy ${policy.name} matches`
      : `${handedOn.reason}; ${handedOn.minTier === 1 ? 'no analysis' : 'no evaluator'} has allowed it`;
  const rule = handedOn?.rule ?? 'no-match';
  return { decision: 'escalate', tier: 0, rule, reason: `${why}${others}`, confidence: 1 };
}
