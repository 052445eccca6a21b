import type { Effect } from './effect.ts';
import type { Finding } from './finding.ts';
import { hasLabel } from './labels.ts';
import { asksFor, speaksOf } from './request-release.ts';
import { type AnalysisPreset, EFFECT_RULES, type EffectRule } from './rule-table.ts';

/**
 * Findings of some effects: each row of the table that fits one, once for each rule and object, blocks first.
 *
 * @param request the user's own words; they release questions whose row says by which words, and make a question of a refusal; never of a block
 */
export function judgeEffects(
  effects: readonly Effect[],
  preset: AnalysisPreset,
  request: string | undefined,
): readonly Finding[] {
  const findings = new Map<string, Finding>();
  for (const effect of effects) {
    const rules = EFFECT_RULES.get(effect.verb);
    const ordinary = effect.place === undefined || effect.place.overlays.length === 0;
    for (const row of (ordinary ? rules?.anywhere : rules?.all) ?? []) {
      if (!fits(row, effect)) continue;
      const decided = decisionOf(row, preset, effect, request);
      if (decided === undefined) continue;
      const finding = { ...decided, rule: row.rule, reason: row.says.replaceAll('{}', () => effect.object) };
      findings.set(`${decided.decision} ${row.rule} ${effect.object}`, finding);
    }
  }
  const all = [...findings.values()];
  return [
    ...all.filter(({ decision }) => decision === 'block'),
    ...all.filter(({ decision }) => decision === 'escalate'),
  ];
}

/** The user's words take one step off what they ask for; a block stays. Undefined for what is allowed. */
function decisionOf(
  { levels, asked }: EffectRule,
  preset: AnalysisPreset,
  effect: Effect,
  request: string | undefined,
): Pick<Finding, 'decision' | 'ownYes'> | undefined {
  const level = levels[preset];
  if (level === 'allow') return undefined;
  if (level === 'block') return { decision: level };
  // All that words do to a refusal is to make it worth a person's question: nobody and nothing else answers that.
  if (level === 'refuse')
    return speaksOf(request, asked, effect) ? { decision: 'escalate', ownYes: true } : { decision: 'block' };
  return asksFor(request, asked, effect) ? undefined : { decision: level };
}

function fits(row: EffectRule, { kind = '', place, labels }: Effect): boolean {
  if (row.kinds?.includes(kind) === false || row.notKinds?.includes(kind) === true) return false;
  if (row.labels !== undefined && !hasLabel(labels, ...row.labels)) return false;
  if (row.zones !== undefined && !row.zones.includes(place?.zone ?? '')) return false;
  if (row.wide && place?.wide !== true) return false;
  return (
    row.overlays === undefined ||
    row.overlays.some((overlay) => place?.overlays.some((each) => each === overlay))
  );
}
