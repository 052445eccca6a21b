export { standingWords } from './analysis/effects/judge-effects.ts';
export { defaultFlowPolicy } from './annotations/default-flow-policy.ts';
export {
  type FlowPolicy,
  type SinkRule,
  type SourceRule,
  TRUST_LEVELS,
  type Trust,
} from './annotations/flow-policy.ts';
export { flowPolicyJsonSchema } from './annotations/flow-policy-schema.ts';
export { overlayFlowPolicy } from './annotations/overlay-flow-policy.ts';
export { parseFlowPolicy } from './annotations/parse-flow-policy.ts';
export type { EvaluatorPrompt } from './evaluator/evaluator-prompt.ts';
export {
  type BudgetPlace,
  createEvaluator,
  type EvaluatorBudget,
  type EvaluatorParts,
} from './evaluator/evaluator-tier.ts';
export { boxStoreOf } from './flow/box-label.ts';
export type { FlowCall } from './flow/call.ts';
export { createFlow, type Flow } from './flow/create-flow.ts';
export { FLOW_RULES, type FlowRule, type FlowSession } from './flow/flow-session.ts';
export type { FlowState } from './flow/flow-state.ts';
export type { ArgumentEvidence, FlowVerdict } from './flow/flow-verdict.ts';
export { judgeTrace, type Trace, type TraceStep } from './flow/judge-trace.ts';
export { type FlowLabels, needsLabel } from './flow/kept-labels.ts';
export { joinLabels, type Label, readLabel } from './flow/label.ts';
export { createLabelStore, type LabelStore } from './flow/label-store.ts';
export { evaluatePolicy } from './policy/evaluate-policy.ts';
export { type Explanation, explainPolicy, type HandedOn, type PassedRule } from './policy/explain-policy.ts';
export { parsePolicy } from './policy/parse-policy.ts';
export type { Policy, PolicyList, PolicyRule, RuleMatch } from './policy/policy.ts';
export {
  type PolicyFacts,
  SESSION_MODES,
  type SessionMode,
  type SimpleCommand,
  type StartedBy,
} from './policy/policy-case.ts';
export { policyJsonSchemaText } from './policy/policy-json-schema.ts';
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
