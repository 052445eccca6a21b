import type { Action } from '@bulkhead/protocol';
import { visibleText } from './visible-text.ts';

/** Characters of an action that are shown as they are; of a longer one, each value is cut for itself. */
const WHOLE = 4_000;
/** Longer texts are clipped before anything is looked for in them: a dialog must not cost what its text may weigh. */
const CLIP = 16_000;
/** Characters shown of one long value, at its beginning and at its end: what matters may stand at either. */
const HEAD = 1_500;
const TAIL = 1_000;
/** Values shown of an action that has very many. */
const MAX_VALUES = 100;
/** Lines shown of a diff. */
const DIFF_HEAD = 120;
const DIFF_TAIL = 60;
/** Characters shown of a long line, at each end. */
const LINE = 200;

/**
 * What a person decides about, as every dialog shows it: made here from the canonical action, never by an agent. Hidden characters
 * are visible, runs of one character are counted, and what is left out is named [FT42].
 *
 * @param plan what the tool says it would do, with its diff; empty for none
 */
export function shownAction(action: Pick<Action, 'canonical' | 'tool' | 'arguments'>, plan: string): string {
  const short = action.canonical.length <= CLIP ? countRuns(visibleText(action.canonical)) : undefined;
  const shown = short !== undefined && short.length <= WHOLE ? short : cutAction(action);
  return plan === '' ? shown : `${shown}\n${cutLines(visibleText(plan))}`;
}

/** All of the action, for whoever asks for it. */
export function fullAction({ canonical }: Pick<Action, 'canonical'>, plan: string): string {
  return plan === '' ? visibleText(canonical) : `${visibleText(canonical)}\n${visibleText(plan)}`;
}

function cutAction({ tool, arguments: args }: Pick<Action, 'tool' | 'arguments'>): string {
  const lines: string[] = [];
  for (const [name, text] of leavesOf(args, '')) {
    if (lines.length === MAX_VALUES) {
      lines.push('  [… more values are not shown …]');
      break;
    }
    lines.push(`  ${cut(name)}: ${cut(text)}`);
  }
  return [`${cut(tool)}, long values cut:`, ...lines].join('\n');
}

/** Every value, as JSON, with the place where it stands. */
function* leavesOf(value: unknown, at: string): Generator<readonly [string, string]> {
  if (typeof value !== 'object' || value === null) {
    yield [at, JSON.stringify(value) ?? ''];
    return;
  }
  for (const [name, inner] of Object.entries(value))
    yield* leavesOf(inner, at === '' ? name : `${at}.${name}`);
}

function cut(text: string): string {
  const clipped = text.length <= 2 * CLIP ? text : middleLeftOut(text, CLIP, CLIP);
  const shown = countRuns(visibleText(clipped, false));
  return shown.length <= HEAD + TAIL ? shown : middleLeftOut(shown, HEAD, TAIL);
}

function middleLeftOut(text: string, head: number, tail: number): string {
  const left = text.length - head - tail;
  const cutOut = `${text.slice(0, head)}[… ${left} characters are not shown …]${text.slice(-tail)}`;
  // A pair of surrogates may have been parted.
  return cutOut.toWellFormed();
}

function cutLines(text: string): string {
  const lines = text.trimEnd().split('\n').map(cutLine);
  if (lines.length <= DIFF_HEAD + DIFF_TAIL) return lines.join('\n');
  const left = lines.length - DIFF_HEAD - DIFF_TAIL;
  return [...lines.slice(0, DIFF_HEAD), `[… ${left} lines are not shown …]`, ...lines.slice(-DIFF_TAIL)].join(
    '\n',
  );
}

function cutLine(line: string): string {
  const shown = countRuns(line.length <= 2 * CLIP ? line : middleLeftOut(line, CLIP, CLIP));
  return shown.length <= 2 * LINE ? shown : middleLeftOut(shown, LINE, LINE);
}

/** A character, or an escape that stands for one, forty times and more. */
const RUN = /(\\u\{[0-9a-f]{1,6}\}|\\u[0-9a-f]{4}|\\[nrt]|.)\1{39,}/gsu;

/** Padding pushes what matters out of sight: a run of one character is shown by its length. */
function countRuns(text: string): string {
  return text.replaceAll(RUN, (run, unit: string) => {
    const count = run.length / unit.length;
    return `${unit.repeat(4)}[… ${count - 4} more of the same …]`;
  });
}
