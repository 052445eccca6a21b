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
export { evaluatePolicy } from './policy/evaluate-policy.ts';
export { type Explanation, explainPolicy, type HandedOn, type PassedRule } from './policy/explain-policy.ts';
export { parsePolicy } from './policy/parse-policy.ts';
export type { Policy, PolicyList, PolicyRule, RuleMatch } from './policy/policy.ts';
export {
  type ParseCommand,
  type PolicyFacts,
  SECRECY_LEVELS,
  SESSION_MODES,
  type SimpleCommand,
  type Taint,
  TRUST_LEVELS,
} from './policy/policy-case.ts';
export { policyJsonSchemaText } from './policy/policy-json-schema.ts';
export { type PresetName, presetPolicies } from './policy/presets.ts';
export {
  type AbsentTier,
  createShield,
  type JudgeContext,
  notPresent,
  type PresentTier,
  type Shield,
  type ShieldParts,
  type ShieldTier,
} from './shield.ts';
