import {
  type AcceptedCall,
  type Action,
  type ToolCard,
  type ToolPlan,
  type ToolResult,
  transactionFolder,
  type Verdict,
  visibleText,
} from '@bulkhead/protocol';
import { folderFacts } from '../transactions/folder-facts.ts';
import { judgeEffects } from '../transactions/judge-effects.ts';
import { effectsVerdict } from '../transactions/settle-effects.ts';

/** The end of a command, as the last line of its result shows it. */
const ENDED = /^\[((?:exit code|killed by|stopped:) [^\]]+)\]$/;
const LONGEST = 200;

/**
 * A short summary of a result for a person: changed lines, matches, exit of a command. Counts only;
 * of the content, it shows only the start of an error.
 */
export function summaryOf(
  { card, metadata }: Pick<AcceptedCall, 'card' | 'metadata'>,
  result: ToolResult,
): string {
  const lines = result.text === '' ? [] : result.text.replace(/\n$/, '').split('\n');
  const isCommand = metadata.command !== undefined;
  if (result.isError) return errorWords(lines, isCommand);
  if (result.display !== undefined && result.display !== '') return changedLines(result.display);
  return NOTHING.exec(result.text)?.[0].replaceAll(/[()]/g, '') ?? foundWords(card?.counts, lines, isCommand);
}

/** The text of a tool that found or printed nothing. */
const NOTHING = /^(?:no matches|no files|\(no output\))/;

function errorWords(lines: readonly string[], isCommand: boolean): string {
  const end = isCommand ? lines.findLast((line) => ENDED.test(line)) : undefined;
  return (end === undefined ? (lines[0] ?? '') : end.slice(1, -1)).slice(0, LONGEST);
}

function foundWords(counts: ToolCard['counts'], lines: readonly string[], isCommand: boolean): string {
  // Lines in brackets are notes of the engine.
  const found = lines.filter((line) => !/^\[.*\]$/.test(line)).length;
  if (counts !== undefined) return counted(found, ...counts);
  return isCommand ? `${counted(found, 'line')} of output` : counted(lines.length, 'line');
}

function changedLines(diff: string): string {
  const lines = diff.split('\n');
  const added = lines.filter((line) => line.startsWith('+') && !line.startsWith('+++ ')).length;
  const removed = lines.filter((line) => line.startsWith('-') && !line.startsWith('--- ')).length;
  const words = [
    ...(added > 0 ? [`${counted(added, 'line')} added`] : []),
    ...(removed > 0 ? [`${counted(removed, 'line')} removed`] : []),
  ];
  return words.length === 0 ? 'no line changed' : words.join(', ');
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The fate of the effects of a command in a dry run: no text if they would be kept. */
export function foreseen({ effects }: ToolPlan, { metadata }: Action): string {
  if (effects === undefined) return '';
  const judged = judgeEffects(effects, folderFacts(transactionFolder(metadata)));
  if (judged.decision === 'commit') return '';
  const { rule, reason } = effectsVerdict(judged);
  return judged.decision === 'ask'
    ? `\n[its changes would need approval (${rule}): ${reason}]`
    : `\n[its changes would be refused (${rule}): ${reason}]`;
}

/**
 * Why a person is asked. For data sent to the web, it says which data leaves, its target, and that
 * this cannot be undone [FG6]: "no rule matches" would not help the person decide.
 *
 * @param plan describes the call without executing it
 */
export async function questionReason(
  action: Pick<Action, 'metadata'>,
  { reason }: Verdict,
  plan: () => Promise<ToolPlan>,
): Promise<string> {
  if (action.metadata.group !== 'web') return reason;
  const { text, isError } = await plan();
  if (isError) return reason;
  const said = `${text} Its address and body leave this machine, which can not be undone; the answer is data from outside`;
  return visibleText(`${said} (${reason})`, false);
}
