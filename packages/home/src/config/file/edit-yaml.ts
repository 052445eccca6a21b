import { tooDeepAt } from '@bulkhead/protocol/strict-yaml';
import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  Pair,
  parseDocument,
  Scalar,
  YAMLMap,
  YAMLSeq,
} from 'yaml';

type YamlPath = readonly (string | number)[];

/** Sets a value in a document, or removes it. */
export type YamlEdit =
  | { readonly path: YamlPath; readonly kind: 'set'; readonly value: Node }
  | { readonly path: YamlPath; readonly kind: 'unset' };

const OPTIONS = { version: '1.2', schema: 'core' } as const;

/**
 * Changes values in a user's YAML text. Comments and the order of keys stay; meaningless blanks may
 * change. Missing groups and lists are made, groups that become empty are removed. A place in a
 * list is an existing one, or the next.
 *
 * @param text a document without syntax errors
 * @throws RangeError if a path passes through a value without keys: its message names the place;
 *   for a text that is nested too deep
 */
export function editYaml(text: string, edits: readonly YamlEdit[]): string {
  if (tooDeepAt(text) !== undefined) throw new RangeError('it is nested deeper than any key');
  const document = parseDocument<Node>(text, OPTIONS);
  let changes = 0;
  for (const edit of edits) {
    if (edit.kind === 'unset' && !document.hasIn(edit.path)) continue;
    changes += 1;
    if (edit.kind === 'set') set(document, edit.path, edit.value);
    else unset(document, edit.path);
  }
  if (changes === 0) return text;
  const empty = isMap(document.contents) && document.contents.items.length === 0;
  const changed = document.toString({ lineWidth: 0 });
  return empty ? changed.replace(/^\{\s*\}\s*$/m, '') : changed;
}

function set(document: Document<Node>, path: YamlPath, value: Node): void {
  const last = path.at(-1);
  if (last === undefined) return;
  if (document.contents === null || isEmptyScalar(document.contents)) document.contents = new YAMLMap();
  let parent: Node = document.contents;
  for (const depth of path.slice(0, -1).keys())
    parent = memberOf(parent, path.slice(0, depth + 1), path[depth + 1]);
  put(parent, last, value, path);
}

/** The group or list at `path`, made if missing. @param next key in it: a number makes a list */
function memberOf(parent: Node, path: YamlPath, next: string | number | undefined): Node {
  const part = path.at(-1) ?? '';
  const found = childOf(parent, part, path);
  if (found !== undefined && !isEmptyScalar(found)) return found;
  const made = typeof next === 'number' ? new YAMLSeq() : new YAMLMap();
  put(parent, part, made, path);
  return made;
}

function childOf(parent: Node, part: string | number, path: YamlPath): Node | undefined {
  if (!isMap(parent) && !isSeq(parent)) throw notAGroup(path.slice(0, -1));
  const child = parent.get(part, true);
  return isScalar(child) || isCollection(child) ? child : undefined;
}

function put(parent: Node, part: string | number, value: Node, path: YamlPath): void {
  const before = childOf(parent, part, path);
  if (before !== undefined) keepRemarks(before, value);
  if (isSeq(parent)) {
    if (typeof part !== 'number') throw notAGroup(path);
    if (part > parent.items.length) throw noSuchPlace(path, parent.items.length);
    if (parent.items.length === 0) parent.flow = false;
    parent.items[part] = value;
    return;
  }
  if (!isMap(parent)) return;
  // An empty group may be written {}: its new content stands on lines of its own.
  if (parent.items.length === 0) parent.flow = false;
  const pair = parent.items.find(({ key }) => isScalar(key) && key.value === part);
  if (pair === undefined) parent.items.push(new Pair(new Scalar(part), value));
  else pair.value = value;
}

/** Comments beside and above a value stay when the value is removed. */
function keepRemarks(before: Node, after: Node): void {
  const beside =
    isScalar(before) || (isCollection(before) && before.flow === true) ? before.comment : undefined;
  after.comment = beside ?? null;
  after.commentBefore = before.commentBefore ?? null;
  after.spaceBefore = before.spaceBefore === true;
}

function unset(document: Document<Node>, path: YamlPath): void {
  let place = path;
  const remarks: string[] = [];
  for (;;) {
    const around = place.slice(0, -1);
    const parent = around.length === 0 ? document.contents : document.getIn(around, true);
    remarks.unshift(...remarksAbove(parent, place.at(-1)));
    const alone = isCollection(parent) && parent.items.length === 1;
    if (alone && around.length > 0 && isMap(parent)) {
      // A comment beside a group in brackets belongs to its line, and is removed with it.
      const below = parent.flow === true ? undefined : parent.comment;
      remarks.unshift(...[parent.commentBefore, below].flatMap((remark) => remark ?? []));
      place = around;
      continue;
    }
    moveRemarks(document, parent, place.at(-1), remarks);
    closeGap(parent, place.at(-1));
    document.deleteIn(place);
    return;
  }
}

function remarksAbove(parent: unknown, part: string | number | undefined): string[] {
  if (!isMap(parent)) return [];
  const key = parent.items.find((pair) => isScalar(pair.key) && pair.key.value === part)?.key;
  return isScalar(key) && typeof key.commentBefore === 'string' ? [key.commentBefore] : [];
}

/** Comments on whole lines stay: a user can delete them, but not restore them. */
function moveRemarks(
  document: Document<Node>,
  parent: unknown,
  part: string | number | undefined,
  remarks: readonly string[],
): void {
  if (remarks.length === 0 || !isMap(parent)) return;
  const place = parent.items.findIndex(({ key }) => isScalar(key) && key.value === part);
  const next = parent.items[place + 1]?.key;
  const join = (after: string | null | undefined) => [...remarks, ...(after ? [after] : [])].join('\n');
  if (isScalar(next)) next.commentBefore = join(next.commentBefore);
  else if (parent.items.length === 1) document.commentBefore = join(document.commentBefore);
  else parent.comment = join(parent.comment);
}

/** Removes the blank line between the first and the second key, which is needless now. */
function closeGap(parent: unknown, part: string | number | undefined): void {
  if (!isMap(parent)) return;
  const [first, second] = parent.items;
  if (isScalar(first?.key) && first.key.value === part && isScalar(second?.key))
    second.key.spaceBefore = false;
}

function isEmptyScalar(node: Node): boolean {
  return isScalar(node) && node.value === null;
}

function noSuchPlace(path: YamlPath, next: number): RangeError {
  return new RangeError(
    `${path.join('.')} is not there, the next place of ${path.slice(0, -1).join('.')} is ${next}`,
  );
}

function notAGroup(path: YamlPath): RangeError {
  return new RangeError(`${path.join('.')} holds no keys`);
}
