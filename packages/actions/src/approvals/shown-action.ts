import { type Action, visibleText } from '@bulkhead/protocol';

/** Total characters of all values that are shown whole; above it, each value is cut separately. */
const WHOLE = 4_000;
/**
 * Longer texts are clipped before any search: the cost of a dialog must not depend on the text's
 * size.
 */
const CLIP = 16_000;
/**
 * Characters shown at the start and at the end of a long value: important text may stand at both
 * ends.
 */
const HEAD = 1_500;
const TAIL = 1_000;
/** Lines shown of one value. */
const VALUE_LINES = { head: 40, tail: 20 };
/** Lines shown of a diff. */
const DIFF_LINES = { head: 120, tail: 60 };
/** Values shown of an action with very many. */
const MAX_VALUES = 100;
/** Characters shown of a long line, at each end. */
const LINE = 200;
/** Longest list of plain values that is shown on one line. */
const LIST = 200;
/**
 * A text with at least this many lines is not repeated where the change already shows all of it.
 */
const REPEATED = 4;

type ShownAction = Pick<Action, 'arguments'> & {
  readonly metadata: Pick<Action['metadata'], 'workingFolder' | 'folders'>;
};
type Redact = (text: string) => string;

const asItIs: Redact = (text) => text;

/**
 * The action to decide about, as every dialog shows it: place, each value of the call, and planned
 * changes. The engine builds it from the judged action, never the agent. Hidden characters are
 * visible, runs of one character are counted, and cuts are named [FT42]. Each line of a multi-line
 * text is marked, so no text can pass for another value.
 *
 * @param plan the changes that the tool plans, with the diff; empty for none
 * @param redact receives each whole value, before cuts and marks
 */
export function shownAction(action: ShownAction, plan: string, redact = asItIs): string {
  const values = valuesOf(action, plan, redact);
  const total = values.reduce((sum, [, text]) => sum + text.length, 0);
  const lines = values
    .slice(0, MAX_VALUES)
    .flatMap(([name, text]) => valueLines(cutLine(name), cut(text, total), VALUE_LINES));
  if (values.length > MAX_VALUES) lines.push('[… more values are not shown …]');
  const planned =
    plan === '' ? [] : withoutMiddleLines(visibleText(plan).trimEnd().split('\n').map(cutLine), DIFF_LINES);
  return [where(action), ...lines, ...planned].join('\n');
}

/**
 * The same without cuts, on request. The last line is the action byte for byte, except that hidden
 * characters are spelled out one to one: an approval allows exactly that line and nothing else
 * (FG3). The values above it are easier to read but less exact: a number and its text look alike
 * there.
 */
export function fullAction(
  action: ShownAction & Pick<Action, 'canonical'>,
  plan: string,
  redact = asItIs,
): string {
  const all = { head: Number.MAX_SAFE_INTEGER, tail: 0 };
  const lines = valuesOf(action, plan, redact).flatMap(([name, text]) =>
    valueLines(name, visibleText(text), all),
  );
  const planned = plan === '' ? [] : [visibleText(plan).trimEnd()];
  return [where(action), ...lines, ...planned, exactly(action, redact)].join('\n');
}

function exactly(
  { canonical, arguments: args }: Pick<Action, 'arguments' | 'canonical'>,
  redact: Redact,
): string {
  const isWhole = [...leavesOf(args, '')].every(([, text]) => redact(text) === text);
  return `exactly: ${isWhole ? visibleText(canonical, false) : 'not shown here, for there is a secret in it'}`;
}

function where({ metadata }: ShownAction): string {
  return `in ${visibleText(metadata.workingFolder, false)}`;
}

function valuesOf(
  { arguments: args }: ShownAction,
  plan: string,
  redact: Redact,
): (readonly [string, string])[] {
  const planned = new Set(plan.split('\n').map((line) => line.slice(1)));
  return [...leavesOf(args, '')].map(([name, text]) => {
    const lines = text.replace(/\n$/, '').split('\n');
    const isRepeated = lines.length >= REPEATED && lines.every((line) => planned.has(line));
    return [name, isRepeated ? `[${lines.length} lines, all in the change below]` : redact(text)];
  });
}

/** Every value with its path: texts unchanged, everything else as JSON. */
function* leavesOf(value: unknown, at: string): Generator<readonly [string, string]> {
  if (typeof value === 'string' && value !== '') yield [at, value];
  else if (typeof value !== 'object' || value === null || isShortList(value))
    yield [at, JSON.stringify(value) ?? ''];
  else
    for (const [name, inner] of Object.entries(value))
      yield* leavesOf(inner, at === '' ? name : `${at}.${name}`);
}

function isShortList(value: object): boolean {
  if (!Array.isArray(value) || value.length > LIST) return false;
  if (value.some((one) => typeof one === 'object' || (typeof one === 'string' && one.length > LIST)))
    return false;
  return JSON.stringify(value).length <= LIST;
}

/** A multi-line text starts below its name, with each line marked. */
function valueLines(name: string, text: string, limit: LineLimit): readonly string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  const label = visibleText(name, false);
  if (lines.length === 1) return [`${label}: ${lines[0]}`];
  return [`${label}:`, ...withoutMiddleLines(lines, limit).map((line) => `  | ${line}`)];
}

/** @param total length of all values of the action */
function cut(text: string, total: number): string {
  const clipped = text.length <= 2 * CLIP ? text : middleLeftOut(text, CLIP, CLIP);
  const shown = runsCounted(visibleText(clipped));
  return total <= WHOLE || shown.length <= HEAD + TAIL ? shown : middleLeftOut(shown, HEAD, TAIL);
}

function cutLine(line: string): string {
  const shown = runsCounted(line.length <= 2 * CLIP ? line : middleLeftOut(line, CLIP, CLIP));
  return shown.length <= 2 * LINE ? shown : middleLeftOut(shown, LINE, LINE);
}

/**
 * Cuts the middle of a text, and returns how much is missing. @param head, tail characters that
 * stay
 */
function middleLeftOut(text: string, head: number, tail: number): string {
  const left = text.length - head - tail;
  const cutOut = `${text.slice(0, head)}[… ${left} characters are not shown …]${text.slice(-tail)}`;
  // The cut may have split a surrogate pair.
  return cutOut.toWellFormed();
}

/** Lines that stay at each end. */
interface LineLimit {
  readonly head: number;
  readonly tail: number;
}

/** Returns the first and last lines, and how many are missing between them. */
function withoutMiddleLines(lines: readonly string[], { head, tail }: LineLimit): readonly string[] {
  if (lines.length <= head + tail) return lines;
  return [
    ...lines.slice(0, head),
    `[… ${lines.length - head - tail} lines are not shown …]`,
    ...lines.slice(-tail),
  ];
}

/** A character, or its escape, repeated at least forty times. */
const RUN = /(\\u\{[0-9a-f]{1,6}\}|\\u[0-9a-f]{4}|\\[nrt]|.)\1{39,}/gsu;

/** Padding hides important text: a run of one character is replaced by its length. */
function runsCounted(text: string): string {
  return text.replaceAll(RUN, (run, unit: string) => {
    const count = run.length / unit.length;
    return `${unit.repeat(4)}[… ${count - 4} more of the same …]`;
  });
}
