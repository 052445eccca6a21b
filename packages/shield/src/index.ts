export { analyseArguments } from './analysis/arguments/analyse-arguments.ts';
export type { ArgumentOptions, CommandJudge, JudgedCall } from './analysis/arguments/judged-call.ts';
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
export { loadClassifier } from './classifier/load-classifier.ts';
export { loadOnnxClassifier, type OnnxOptions } from './classifier/onnx-classifier.ts';
export type { TextClassifier } from './classifier/text-classifier.ts';
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
