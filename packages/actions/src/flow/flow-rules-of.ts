import { FLOW_RULES, type FlowRule, type PresetName } from '@bulkhead/shield';

/**
 * A preset with few questions does not ask about invented places; it still asks about foreign text.
 */
export function flowRulesOf(preset: PresetName): readonly FlowRule[] {
  return preset === 'permissive' ? FLOW_RULES.filter((rule) => rule !== 'origin') : FLOW_RULES;
}
