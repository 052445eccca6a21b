export type { Finding } from './analysis/finding.ts';
export type {
  ArgumentRole,
  EffectKind,
  FieldAnnotation,
  ResultAnnotation,
  ToolAnnotation,
  ToolAnnotations,
  Writer,
} from './annotations/tool-annotation.ts';
export type { EvaluatorPrompt } from './evaluator/evaluator-prompt.ts';
export {
  type BudgetPlace,
  createEvaluator,
  type EvaluatorBudget,
  type EvaluatorParts,
} from './evaluator/evaluator-tier.ts';
export { evaluatePolicy } from './policy/evaluate-policy.ts';
export { type Explanation, explainPolicy, type PassedRule } from './policy/explain-policy.ts';
export { parsePolicy } from './policy/parse-policy.ts';
export type { Policy, PolicyRule, RuleMatch } from './policy/policy.ts';
export { type PresetName, presetPolicies } from './policy/presets.ts';
export { createRedaction } from './secrets/redaction.ts';
export {
  type AbsentTier,
  createShield,
  type JudgeContext,
  notPresent,
  type PresentTier,
  type RecentAction,
  type Shield,
  type ShieldParts,
  type ShieldTier,
} from './shield.ts';
