import { type CommandEffects, transactionFolder, type Verdict, visibleText } from '@bulkhead/protocol';
import { changeLines, countChanges, countText } from '@bulkhead/tools';
import { shownAction } from '../approvals/shown-action.ts';
import type { EffectsVerdict } from './judge-effects.ts';

/** Changes that a person is shown individually; the others are only counted. */
const SHOWN_CHANGES = 200;

/**
 * The text that a person decides about: the judged command, and its pending changes.
 *
 * @param findings every reason for the question
 * @param redact applies to the text of the command
 */
export function shownEffects(
  action: Parameters<typeof shownAction>[0],
  effects: CommandEffects,
  findings: readonly string[],
  redact: (text: string) => string,
): string {
  return [
    shownAction(action, '', redact),
    ...(effects.goneOn === undefined ? [] : [`$ ${visibleText(redact(effects.goneOn.command), true)}`]),
    `It has run, and ended with ${effects.status}. Keep its changes? Approving allows:`,
    ...findings.map((line) => `! ${visibleText(line, false)}`),
    `All it changed${placeOf(action)}, ${countText(countChanges(effects.changes))}:`,
    ...changeLines(effects.changes, SHOWN_CHANGES).map((line) => visibleText(line, false)),
  ].join('\n');
}

/** Where its changes are named from, if that is not the working folder. */
function placeOf({ metadata }: Parameters<typeof shownAction>[0]): string {
  const folder = transactionFolder(metadata);
  return folder === metadata.workingFolder ? '' : ` in ${visibleText(folder, false)}`;
}

/** Converts the verdict about a command's effects to a general verdict. */
export function effectsVerdict(verdict: Exclude<EffectsVerdict, { readonly decision: 'commit' }>): Verdict {
  return {
    decision: verdict.decision === 'ask' ? 'escalate' : 'block',
    tier: 0,
    rule: verdict.rule,
    reason: visibleText(verdict.reason, false),
    confidence: 1,
  };
}

/** Tells the agent why nothing was kept, and how to continue. */
export function dropText(who: string, verdict: Verdict): string {
  return `${who}: ${verdict.reason}. Nothing was kept. Retry without this step, or approve it`;
}
