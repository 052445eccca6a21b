import type { AcceptedCall, ToolCard, ToolResult } from '@bulkhead/protocol';

/** How a command ended, as its result says it below what it printed. */
const ENDED = /^\[((?:exit code|killed by|stopped:) [^\]]+)\]$/;
const LONGEST = 200;

/**
 * What an action gave, in a few words for a person: lines that came and went, matches, how a command ended. In counts: of its content only
 * what an error says first.
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

/** What a tool says that found or said nothing. */
const NOTHING = /^(?:no matches|no files|\(no output\))/;

function errorWords(lines: readonly string[], isCommand: boolean): string {
  const end = isCommand ? lines.findLast((line) => ENDED.test(line)) : undefined;
  return (end === undefined ? (lines[0] ?? '') : end.slice(1, -1)).slice(0, LONGEST);
}

function foundWords(counts: ToolCard['counts'], lines: readonly string[], isCommand: boolean): string {
  // Notes of ours stand in brackets.
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
