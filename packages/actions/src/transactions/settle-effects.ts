import { type CommandEffects, type Verdict, visibleText } from '@bulkhead/protocol';
import { changeLines, countChanges, countText } from '@bulkhead/tools';
import { shownAction } from '../approvals/shown-action.ts';
import type { EffectsVerdict } from './judge-effects.ts';

/** Changes a person is shown one by one: more can't be read, and are counted. */
const SHOWN_CHANGES = 200;

/**
 * What a person decides about: the command as it was judged, and what it would leave behind.
 *
 * @param findings why a person is asked, every one of them
 * @param redact of what the command itself says
 */
export function shownEffects(
  action: Parameters<typeof shownAction>[0],
  effects: CommandEffects,
  findings: readonly string[],
  redact: (text: string) => string,
): string {
  return [
    shownAction(action, '', redact),
    `It has run, and ended with ${effects.status}. Keep what it changed? A yes allows:`,
    ...findings.map((line) => `! ${visibleText(line, false)}`),
    `All it changed, ${countText(countChanges(effects.changes))}:`,
    ...changeLines(effects.changes, SHOWN_CHANGES).map((line) => visibleText(line, false)),
  ].join('\n');
}

/** The judgement of a command's effects in the words of any other judgement. */
export function effectsVerdict(verdict: Exclude<EffectsVerdict, { readonly decision: 'commit' }>): Verdict {
  return {
    decision: verdict.decision === 'ask' ? 'escalate' : 'block',
    tier: 0,
    rule: verdict.rule,
    reason: visibleText(verdict.reason, false),
    confidence: 1,
  };
}

/** Why nothing was kept, for the agent, and how to go on. */
export function dropText(who: string, verdict: Verdict): string {
  return `${who}: ${verdict.reason}. Run it again without that; what else it does can be kept then`;
}
