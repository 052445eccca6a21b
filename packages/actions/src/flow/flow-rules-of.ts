import { FLOW_RULES, type FlowRule, type PresetName } from '@bulkhead/shield';

/** A person who chose to be asked little is not asked about places that are only made up; foreign text is another matter. */
export function flowRulesOf(preset: PresetName): readonly FlowRule[] {
  return preset === 'permissive' ? FLOW_RULES.filter((rule) => rule !== 'origin') : FLOW_RULES;
}
