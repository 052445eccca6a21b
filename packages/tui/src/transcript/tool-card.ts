import { visibleText } from '@bulkhead/protocol';
import {
  type ApprovalDecision,
  briefArguments,
  commandFailure,
  errorBrief,
  judgeName,
  keptWords,
  type ToolItem,
  type ToolState,
  type ToolVerdict,
} from '@bulkhead/protocol/transcript';
import { behind, cut, hang, wrap } from '../look/fit.ts';
import { diffLine } from '../look/highlight.ts';
import type { Look } from '../look/look.ts';
import type { Paint, Style } from '../look/style.ts';

/** Lines of a command's output, of a failed one's, and of a diff when folded; the limit in full view. */
const OUTPUT_LINES = 6;
const FAILURE_LINES = 12;
const DIFF_LINES = 24;
const ALL_LINES = 500;

/**
 * A call as a card: its action, the verdict with its source and reason, its output and its changes.
 */
export function toolCard(item: ToolItem, look: Look, width: number): string[] {
  const { style } = look;
  const [mark, paint] = markOf(item.state, style);
  const brief = visibleText(briefArguments(item.arguments), false);
  const head = cut(`${paint(mark)} ${style.bold(visibleText(item.tool, false))} ${brief}`, width);
  const inside = width - 2;
  return [
    head,
    ...behind('  ', look.expanded ? argumentLines(item, look, inside) : [], width),
    ...behind('  ', verdictLines(item, look, inside), width),
    ...behind('  ', bodyLines(item, look, inside), width),
  ];
}

function markOf(state: ToolState, style: Style): readonly [string, Paint] {
  switch (state) {
    case 'proposed':
      return ['○', style.dim];
    case 'asking':
      return ['?', style.warning];
    case 'running':
      return ['●', style.accent];
    case 'done':
      return ['✓', style.success];
    case 'described':
      return ['○', style.accent];
    case 'failed':
      return ['✗', style.danger];
    case 'blocked':
    case 'denied':
      return ['⊘', style.danger];
  }
}

function argumentLines({ arguments: input, action }: ToolItem, { style }: Look, width: number): string[] {
  const json = typeof input === 'object' && input !== null ? visibleText(JSON.stringify(input, null, 2)) : '';
  const told = action === undefined ? [] : [style.dim(`action ${visibleText(action, false)}`)];
  const lines = json === '' || json === '{}' ? [] : wrap(json, width).map(style.dim);
  return [...limited(lines, ALL_LINES, style), ...told];
}

function bodyLines(item: ToolItem, look: Look, width: number): string[] {
  if (item.result === undefined) return liveLines(item, look, width);
  if (item.state === 'blocked' || item.state === 'denied') return [];
  const diff = diffLines(item, look, width);
  if (item.result.isError) {
    const whole = look.expanded
      ? resultLines(item, look, width)
      : failureLines(item.result.text, look, width);
    return [...whole, ...effectLines(item, look, width), ...diff];
  }
  return [...resultLines(item, look, width), ...effectLines(item, look, width), ...diff];
}

/** The last lines of a failed command, then how it ended and why; of any other error, one line. */
function failureLines(text: string, { style }: Look, width: number): string[] {
  const failure = commandFailure(text, FAILURE_LINES);
  if (failure === undefined) return hang('', errorBrief(text), width).map(style.danger);
  const { ended, lines, earlier, notes } = failure;
  const above = earlier === 0 ? [] : [style.dim(`… ${earlier} earlier lines (Ctrl-O shows them)`)];
  const said = lines.flatMap((line) => wrap(line, width - 2)).slice(-FAILURE_LINES);
  return [
    ...above,
    ...behind(style.dim('│ '), said.map(style.dim), width),
    style.danger(cut(ended, width)),
    ...notes.flatMap((note) => hang('', note, width).map(style.warning)),
  ];
}

/** The newest lines of its output: a constant number, so that the lines below do not jump. */
function liveLines({ output, outputCut }: ToolItem, look: Look, width: number): string[] {
  if (output === '') return [];
  const { style } = look;
  const shown = look.expanded ? ALL_LINES : OUTPUT_LINES;
  const lines = wrap(output.slice(-shown * 400).trimEnd(), width - 2);
  const last = lines.slice(-shown);
  const more = outputCut || last.length < lines.length ? [style.dim('…')] : [];
  return [...more, ...behind(style.dim('│ '), last.map(style.dim), width)];
}

function resultLines(item: ToolItem, look: Look, width: number): string[] {
  const { style } = look;
  const text = item.result?.text.trimEnd() ?? '';
  if (text === '') return [];
  const isWhole = look.expanded || item.state === 'described';
  if (!isWhole && !isCommand(item)) return [style.dim(cut(summaryOf(text), width))];
  const lines = wrap(text, width - 2).map(style.dim);
  return behind(style.dim('│ '), limited(lines, isWhole ? ALL_LINES : OUTPUT_LINES, style), width);
}

/** For a command the output matters; for a read file, only that it was read. */
function isCommand({ arguments: input }: ToolItem): boolean {
  return typeof input === 'object' && input !== null && 'command' in input;
}

function summaryOf(text: string): string {
  const count = text.split('\n').length;
  return count === 1 ? text : `${count} lines`;
}

function effectLines(item: ToolItem, { style }: Look, width: number): string[] {
  const kept = keptWords(item);
  if (kept === undefined) return [];
  const paint = kept.isDoubtful ? style.warning : style.dim;
  return [paint(cut(kept.text, width))];
}

function diffLines({ diff }: ToolItem, look: Look, width: number): string[] {
  if (diff === undefined) return [];
  const { style } = look;
  const lines = visibleText(diff.trimEnd())
    .split('\n')
    .map((line) => diffLine(cut(line, width), style));
  return limited(lines, look.expanded ? ALL_LINES : DIFF_LINES, style);
}

function limited(lines: readonly string[], limit: number, { dim }: Style): string[] {
  if (lines.length <= limit) return [...lines];
  return [...lines.slice(0, limit), dim(`… ${lines.length - limit} more lines (Ctrl-O shows them)`)];
}

/** The shield's verdict on a call, and the person's decision. */
function verdictLines({ verdicts, decided }: ToolItem, look: Look, width: number): string[] {
  const told = decided === undefined ? [] : decisionLines(decided, look, width);
  return [...verdicts.flatMap((verdict) => oneVerdict(verdict, look, width)), ...told];
}

function oneVerdict({ decision, tier, rule, reason }: ToolVerdict, look: Look, width: number): string[] {
  const { style } = look;
  const name = judgeName(tier);
  const by = rule === name ? rule : `${rule} (${name})`;
  if (decision === 'block') return hang('', `blocked: ${reason} · ${by}`, width).map(style.danger);
  if (decision === 'escalate') return hang('', `needs approval: ${reason} · ${by}`, width).map(style.warning);
  const why = look.expanded && reason !== '' ? `: ${reason}` : '';
  return hang('', `allowed by ${by}${why}`, width).map(style.dim);
}

function decisionLines({ decision, by, scope }: ApprovalDecision, { style }: Look, width: number): string[] {
  if (decision === 'deny') return hang('', `not allowed: ${WHO_DENIED[by]}`, width).map(style.danger);
  const reach = scope === undefined ? '' : REACH[scope];
  return hang('', `allowed by ${WHO_ALLOWED[by]}${reach}`, width).map(style.success);
}

const WHO_DENIED: Readonly<Record<ApprovalDecision['by'], string>> = {
  person: 'you denied it',
  run_option: 'an option of the run',
  grant: 'your earlier answer',
  limit: 'too many approvals: no new ones for a minute',
  timeout: 'no answer in time',
  nobody: 'no one can approve it',
  cancel: 'the run was cancelled',
  restart: 'the engine stopped first and asks again',
};

const WHO_ALLOWED: Readonly<Record<ApprovalDecision['by'], string>> = {
  person: 'you',
  run_option: 'an option of the run',
  grant: 'you, earlier in this session',
  limit: 'no one',
  timeout: 'no one',
  nobody: 'no one',
  cancel: 'no one',
  restart: 'no one',
};

const REACH: Readonly<Record<NonNullable<ApprovalDecision['scope']>, string>> = {
  once: ', once',
  session: ', for this session',
  always: ', from now on',
};
