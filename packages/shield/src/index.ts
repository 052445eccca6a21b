export { evaluatePolicy } from './evaluate-policy.ts';
export { type Explanation, explainPolicy, type PassedRule } from './explain-policy.ts';
export { parsePolicy } from './parse-policy.ts';
export type { Policy, PolicyRule, RuleMatch } from './policy.ts';
export { type PresetName, presetPolicies } from './presets.ts';
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
