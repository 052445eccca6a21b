export { type AnalysisTierParts, createAnalysisTier } from './analysis/analysis-tier.ts';
export {
  analyseCommand,
  type CommandAnalysis,
  type CommandAnalysisOptions,
} from './analysis/command/analyse-command.ts';
export type { CommandPlace } from './analysis/command/command-place.ts';
export type { Effect, Verb } from './analysis/effects/effect.ts';
export type { Overlay, Place, Zone } from './analysis/effects/place.ts';
export type { AnalysisPreset } from './analysis/effects/rule-table.ts';
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
export { type Explanation, explainPolicy, type PassedRule } from './policy/explain-policy.ts';
export { parsePolicy } from './policy/parse-policy.ts';
export type { Policy, PolicyRule, RuleMatch } from './policy/policy.ts';
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
