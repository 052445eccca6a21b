import { LABEL } from '../../effects/labels.ts';
import { HOLE, isKnown } from '../../effects/pattern-text.ts';
import { EMPTY, joinTexts, literal, type Text } from '../shell/text.ts';
import type { Call, Grammar } from './grammar.ts';

const NAME_TESTS = /^-i?(?:name|path|wholename|regex|lname)$/;
const EXECUTES = /^-(?:exec|execdir|ok|okdir)$/;
const WRITES = /^-f(?:print0?|printf|ls)$/;
/** Only these tests and actions narrow a search. */
const NARROWS =
  /^-(?:i?name|i?path|i?wholename|i?regex|user|group|uid|gid|newer\w*|[acm](?:time|min)|size|empty|perm|inum|nouser|nogroup|samefile|links|lname)$/;

/**
 * `find`: its results are a pattern of its start and the searched names; its actions apply to that.
 */
const find: Grammar = (call) => {
  const start = call.args.findIndex(({ text }) => /^[-(!]/.test(text) && !/^-[HLPDO]/.test(text));
  const head = start < 0 ? call.args : call.args.slice(0, start);
  const expression = start < 0 ? [] : call.args.slice(start);
  const folders = head.filter(({ text }) => !/^-[HLPDO]/.test(text));
  const found = foundBy(folders.length === 0 ? [literal('.')] : folders, expression);
  for (const path of found) lookFor(call, path, looksForPrivileged(expression));
  const outputs: Text[] = [];
  for (let at = 0; at < expression.length; at += 1) {
    const word = expression[at]?.text ?? '';
    if (EXECUTES.test(word)) {
      const end = endOfAction(expression, at + 1);
      outputs.push(execute(call, expression.slice(at + 1, end), found));
      at = end;
    } else act(call, word, expression[at + 1] ?? EMPTY, found, narrowed(expression));
  }
  return outputs.length > 0 ? joinTexts(outputs) : names(found);
};

/** The search is for set-user-id and set-group-id files. */
function looksForPrivileged(expression: readonly Text[]): boolean {
  return expression.some(({ text }, at) => {
    const mode = text === '-perm' ? (expression[at + 1]?.text ?? '') : '';
    return /^[-/+]?0?[2467]\d{3}$|[+=][a-z]*s/.test(mode);
  });
}

/** Actions that do not run programs. */
function act(call: Call, word: string, value: Text, found: readonly Text[], narrow: boolean): void {
  if (word === '-delete') for (const path of found) call.walk.remove(path, narrow ? 'found' : 'recursive');
  else if (WRITES.test(word)) call.walk.write(value, names(found));
  else if (word === '-files0-from') call.walk.read(value);
}

function names(found: readonly Text[]): Text {
  return joinTexts(found, ' ');
}

function narrowed(expression: readonly Text[]): boolean {
  return expression.some(({ text }) => NARROWS.test(text));
}

/** Builds patterns: a start folder, any path, and each searched name. */
function foundBy(folders: readonly Text[], expression: readonly Text[]): readonly Text[] {
  const wanted: string[] = [];
  for (const [at, { text }] of expression.entries()) {
    const pattern = expression[at + 1]?.text;
    if (
      !NAME_TESTS.test(text) ||
      pattern === undefined ||
      expression[at - 1]?.text === '!' ||
      expression[at - 1]?.text === '-not'
    )
      continue;
    wanted.push(
      toMarkers(text.includes('regex') ? pattern.replaceAll('.*', '*').replaceAll('\\.', '.') : pattern),
    );
  }
  const ends = wanted.length > 0 ? wanted.slice(0, 6) : [narrowed(expression) ? `${HOLE}` : ''];
  return folders.slice(0, 6).flatMap(({ text, labels }) =>
    ends.map((end) => ({
      text: end === '' ? text : `${text.replace(/\/+$/, '')}/${HOLE}/${end.replace(/^.*\//, '')}`,
      labels,
    })),
  );
}

function toMarkers(pattern: string): string {
  return pattern
    .replaceAll('*', '\uE001')
    .replaceAll('?', '\uE002')
    .replaceAll(/\[[^\]]*\]/g, '\uE002');
}

/** A search for names of secrets anywhere usually precedes their theft. */
function lookFor(call: Call, path: Text, privileged: boolean): void {
  const place = call.walk.placeOf(path);
  const kind =
    place.overlays.includes('credentials') || place.overlays.includes('possible-credentials')
      ? 'secrets'
      : 'names';
  if (privileged)
    call.walk.emit({ verb: 'search', kind: 'privileged', place, labels: LABEL.none, object: place.path });
  call.walk.emit({ verb: 'search', kind, place, labels: LABEL.none, object: place.path });
}

function endOfAction(expression: readonly Text[], from: number): number {
  const end = expression.findIndex(
    ({ text }, at) => at >= from && (text === ';' || text === '\\;' || text === '+'),
  );
  return end < 0 ? expression.length : end;
}

function execute(call: Call, words: readonly Text[], found: readonly Text[]): Text {
  const outputs = found.map((path) =>
    call.walk.run(
      words.map((word) => replace(word, path)),
      EMPTY,
    ),
  );
  return joinTexts([EMPTY, ...outputs]);
}

function replace(word: Text, path: Text): Text {
  if (!word.text.includes('{}')) return word;
  const text =
    isKnown(path.text) && word.text !== '{}'
      ? word.text.replaceAll('{}', () => path.text)
      : word.text.replaceAll('{}', () => path.text);
  return { text, labels: word.labels | path.labels };
}

export const FIND_GRAMMARS: Readonly<Record<string, Grammar>> = { find };
