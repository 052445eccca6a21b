import type { Action, ToolPlan } from '@bulkhead/protocol';
import { folderFacts } from '../transactions/folder-facts.ts';
import { judgeEffects } from '../transactions/judge-effects.ts';
import { effectsVerdict } from '../transactions/settle-effects.ts';

/** The fate of the effects of a command in a dry run: no text if they would be kept. */
export function foreseen({ effects }: ToolPlan, { metadata }: Action): string {
  if (effects === undefined) return '';
  const judged = judgeEffects(effects, folderFacts(metadata.workingFolder));
  if (judged.decision === 'commit') return '';
  const { rule, reason } = effectsVerdict(judged);
  return judged.decision === 'ask'
    ? `\n[its changes would need approval (${rule}): ${reason}]`
    : `\n[its changes would be refused (${rule}): ${reason}]`;
}
