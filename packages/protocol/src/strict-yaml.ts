import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import type * as z from 'zod';
import { BulkheadError } from './errors.ts';
import { tooDeepAt } from './yaml-depth.ts';

export { tooDeepAt } from './yaml-depth.ts';

/** Longest text accepted, in bytes: hand-written texts are far shorter. */
const MAX_BYTES = 256 * 1024;

type Path = readonly (string | number)[];

/** A text that fits its schema, and a function that reports an error at a place in it. */
export interface StrictYaml<Value> {
  readonly value: Value;
  /** An error like those of the parser, for a rule that a schema can't express. */
  fail(path: Path, what: string): BulkheadError;
}

interface Problem {
  readonly offset: number;
  readonly what: string;
}

/**
 * Reads a user's YAML text with one schema, and refuses everything unknown: unknown and duplicate
 * keys, wrong values, anchors, aliases and tags (with them one part of a text represents another),
 * a text over 256 KiB and very deep nesting are errors.
 *
 * @param fileName for messages
 * @param schema strict schema of the whole document
 * @param options.fix the writer's remedy for any mistake, as a sentence
 * @param options.wording describes a mistake if the schema has no message of its own
 * @param options.empty value of an empty document; null if not given
 * @throws BulkheadError `config_invalid` naming file, line, column and the first mistake in the
 *   text
 */
export function readStrictYaml<Schema extends z.ZodType>(
  text: string,
  fileName: string,
  schema: Schema,
  options: { readonly fix?: string; readonly wording?: z.core.$ZodErrorMap; readonly empty?: unknown } = {},
): StrictYaml<z.output<Schema>> {
  const fix = options.fix ?? `Correct ${fileName} and try again.`;
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw new BulkheadError(
      'config_invalid',
      `${fileName}: more than the at most ${MAX_BYTES} bytes allowed`,
      { fix },
    );
  }
  const deep = tooDeepAt(text);
  if (deep !== undefined) {
    const line = text.slice(0, deep).split('\n').length;
    throw new BulkheadError(
      'config_invalid',
      `${fileName}:${line}: is nested deeper than anything that can be said here`,
      { fix },
    );
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    // The library compares every key with every other; `nodeProblems` does it in one pass.
    uniqueKeys: false,
  });
  const error = ({ offset, what }: Problem, hint = fix): BulkheadError => {
    const { line, col } = lines.linePos(offset);
    return new BulkheadError('config_invalid', `${fileName}:${line}:${col}: ${what}`, {
      fix: hint,
      details: { file: fileName, line, column: col },
    });
  };
  const [problem] = inOrder([...syntaxProblems(document), ...nodeProblems(document)]);
  if (problem !== undefined) throw error(problem);
  const read: unknown = document.contents === null ? (options.empty ?? null) : document.toJS();
  const result = schema.safeParse(read, options.wording === undefined ? {} : { error: options.wording });
  if (!result.success) {
    // A misspelt key also causes a missing one: report the misspelling.
    const unknown = result.error.issues.find((issue) => issue.code === 'unrecognized_keys');
    const issues = unknown === undefined ? result.error.issues : [unknown];
    const [first] = inOrder(issues.map((issue) => schemaProblem(document, issue)));
    const known = unknown === undefined ? undefined : knownKeys(schema, plainPath(unknown.path));
    throw error(first ?? { offset: 0, what: 'not valid' }, known);
  }
  return { value: result.data, fail: (path, what) => error({ offset: offsetOf(document, path), what }) };
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((a, b) => a.offset - b.offset);
}

function syntaxProblems(document: Document): readonly Problem[] {
  return [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    offset: pos[0],
    what: message,
  }));
}

function nodeProblems(document: Document): readonly Problem[] {
  const problems: Problem[] = [];
  const report = (node: { range?: readonly number[] | null | undefined }, what: string): void => {
    problems.push({ offset: node.range?.[0] ?? 0, what });
  };
  visit(document, (_, node) => {
    if (isAlias(node)) report(node, 'an alias is not allowed');
    if (!isCollection(node) && !isScalar(node)) return;
    if (node.anchor !== undefined) report(node, 'an anchor is not allowed');
    if (node.tag !== undefined) report(node, `the tag ${node.tag} is not allowed`);
    if (isMap(node))
      for (const key of doubledKeys(node)) report(key, `key ${JSON.stringify(key.value)} is there twice`);
  });
  return problems;
}

function doubledKeys(map: YAMLMap): Scalar[] {
  const seen = new Set<unknown>();
  return map.items.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    const doubled = seen.has(key.value);
    seen.add(key.value);
    return doubled ? [key] : [];
  });
}

function schemaProblem(document: Document, issue: z.core.$ZodIssue): Problem {
  const path = plainPath(issue.path);
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const name = [...path, ...unknown].join('.');
  const plain = unknown.length > 0 && issue.message.startsWith('Unrecognized key');
  const what = plain ? `unknown key "${name}"` : `${pathText(path)}${issue.message}`;
  return { offset: offsetOf(document, [...path, ...unknown]), what };
}

function pathText(path: Path): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return text === '' ? '' : `${text.replace(/^\./, '')}: `;
}

function plainPath(path: readonly PropertyKey[]): Path {
  return path.map((part) => (typeof part === 'symbol' ? String(part) : part));
}

/** Position of a value; for a member of a map, of its key; else of the nearest parent. */
function offsetOf(document: Document, path: Path): number {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const parent = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true);
    const key = path[depth - 1];
    const pair = isMap(parent)
      ? parent.items.find((item) => isScalar(item.key) && item.key.value === key)
      : undefined;
    const node = pair?.key ?? document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function knownKeys(schema: z.ZodType, path: Path): string | undefined {
  let current: unknown = schema;
  for (const part of path) current = child(unwrap(current), part);
  const shape = member(unwrap(current), 'shape');
  return isObject(shape) ? `Known keys here: ${Object.keys(shape).join(', ')}.` : undefined;
}

function unwrap(schema: unknown): unknown {
  let current = schema;
  for (;;) {
    const inner = member(member(current, 'def'), 'innerType');
    if (inner === undefined) return current;
    current = inner;
  }
}

function child(schema: unknown, part: string | number): unknown {
  return member(member(schema, 'def'), 'element') ?? member(member(schema, 'shape'), String(part));
}

function member(value: unknown, key: string): unknown {
  return isObject(value) && key in value ? value[key] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
