import { type Action, visibleText } from '@bulkhead/protocol';
import { type LineLimit, middleLeftOut, runsCounted, withoutMiddleLines } from './cut-text.ts';

/** Characters of all values together that are shown as they are; of more, each value is cut for itself. */
const WHOLE = 4_000;
/** Longer texts are clipped before anything is looked for in them: a dialog must not cost what its text may weigh. */
const CLIP = 16_000;
/** Characters shown of one long value, at its beginning and at its end: what matters may stand at either. */
const HEAD = 1_500;
const TAIL = 1_000;
/** Lines shown of one value. */
const VALUE_LINES = { head: 40, tail: 20 };
/** Lines shown of a diff. */
const DIFF_LINES = { head: 120, tail: 60 };
/** Values shown of an action that has very many. */
const MAX_VALUES = 100;
/** Characters shown of a long line, at each end. */
const LINE = 200;
/** Longest list of plain values that stands in one line. */
const LIST = 200;
/** Lines from which on a text isn't shown twice, where the change shows all of it. */
const REPEATED = 4;

type ShownAction = Pick<Action, 'arguments'> & {
  readonly metadata: Pick<Action['metadata'], 'workingFolder'>;
};
type Redact = (text: string) => string;

const asItIs: Redact = (text) => text;

/**
 * What a person decides about, as every dialog shows it: where, each value of the call, and what would change. Made here from the
 * action that is judged, never by an agent. Hidden characters are visible, runs of one character are counted, what is left out is
 * named [FT42], and no text of several lines can pass for another value: each of its lines is marked.
 *
 * @param plan what the tool says it would do, with its diff; empty for none
 * @param redact of each value as it is, before it is cut or marked
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
 * The same with nothing cut, for whoever asks for it. Its last line is the action byte for byte, but for hidden characters, which are
 * spelled out one to one: what that line says, and nothing else, is what a yes lets run (FG3). Values on lines of their own are
 * easier to read and say less: a number and its text look alike there.
 */
export function fullAction(
  action: ShownAction & Pick<Action, 'canonical'>,
  plan: string,
  redact = asItIs,
): string {
  const all = { head: Number.MAX_SAFE_INTEGER, tail: 0 };
  const lines = valuesOf(action, '', redact).flatMap(([name, text]) =>
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

/** Every value with the place where it stands: texts as they are, anything else as JSON. */
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

/** A text of several lines stands below its name, each line marked. */
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
