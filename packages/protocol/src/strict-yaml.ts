import { type Document, isAlias, isMap, isNode, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { BulkheadError } from './errors.ts';

/** Longest text accepted, in characters: what people write by hand is far shorter. */
const MAX_CHARACTERS = 256 * 1024;

/**
 * Reads a YAML text that a person wrote, against one schema, accepting nothing it does not know.
 *
 * @param text the file's content
 * @param fileName for messages
 * @param schema strict schema of the whole document; an empty document counts as `{}`
 * @throws BulkheadError `config_invalid` naming file, line, column and the mistake: syntax, a key given
 *   twice, an unknown key, a wrong value, an alias or a custom tag (neither is needed, and both hide things)
 */
export function parseStrictYaml<Schema extends z.ZodType>(
  text: string,
  fileName: string,
  schema: Schema,
): z.output<Schema> {
  if (text.length > MAX_CHARACTERS) throw invalid(fileName, '', `longer than ${MAX_CHARACTERS} characters`);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    strict: true,
    version: '1.2',
  });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) {
    throw invalid(fileName, at(lines, problem.pos[0]), problem.message.split('\n')[0] ?? 'not YAML');
  }
  refuseAliases(document, fileName, lines);
  const result = schema.safeParse(document.contents === null ? {} : document.toJS({ maxAliasCount: 0 }));
  if (result.success) return result.data;
  // A misspelt key also shows up as a missing one: the misspelling is what the writer must see.
  const issue =
    result.error.issues.find(({ code }) => code === 'unrecognized_keys') ?? result.error.issues[0];
  if (issue === undefined) throw invalid(fileName, '', 'not valid');
  const path = [...issue.path].map((part) => (typeof part === 'symbol' ? part.toString() : part));
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const where = offsetOf(document, unknown === undefined ? path : [...path, unknown], unknown !== undefined);
  const name = (unknown === undefined ? path : [...path, unknown]).join('.');
  const what = unknown === undefined ? `${name || 'document'}: ${issue.message}` : `unknown key "${name}"`;
  throw invalid(
    fileName,
    where === undefined ? '' : at(lines, where),
    what,
    knownKeys(schema, path, unknown),
  );
}

function refuseAliases(document: Document, fileName: string, lines: LineCounter): void {
  visit(document, (_key, node) => {
    if (isAlias(node) || (isNode(node) && 'anchor' in node && node.anchor !== undefined)) {
      throw invalid(fileName, at(lines, node.range?.[0] ?? 0), 'anchors and aliases are not accepted');
    }
  });
}

function at(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `:${line}:${col}`;
}

/** Offset of the key (for an unknown one) or the value at `path`; of the nearest parent if it isn't there. */
function offsetOf(
  document: Document,
  path: readonly (string | number)[],
  ofKey: boolean,
): number | undefined {
  if (ofKey) {
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isNode(item.key) && String(item.key) === String(path.at(-1)));
      if (pair !== undefined && isNode(pair.key)) return pair.key.range?.[0];
    }
  }
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node)) return node.range?.[0];
  }
  return undefined;
}

function knownKeys(
  schema: z.ZodType,
  path: readonly (string | number)[],
  unknown?: string,
): string | undefined {
  if (unknown === undefined) return undefined;
  let current: unknown = schema;
  for (const part of path) current = child(unwrap(current), part);
  const shape = shapeOf(unwrap(current));
  return shape === undefined ? undefined : `Known keys here: ${Object.keys(shape).join(', ')}`;
}

function unwrap(schema: unknown): unknown {
  let current = schema;
  while (hasDefinition(current) && hasProperty(current.def, 'innerType')) current = current.def['innerType'];
  return current;
}

function child(schema: unknown, part: string | number): unknown {
  if (hasDefinition(schema) && hasProperty(schema.def, 'element')) return schema.def['element'];
  return shapeOf(schema)?.[String(part)];
}

function shapeOf(schema: unknown): Record<string, unknown> | undefined {
  if (!hasProperty(schema, 'shape')) return undefined;
  const shape = schema['shape'];
  return typeof shape === 'object' && shape !== null ? { ...shape } : undefined;
}

function hasDefinition(value: unknown): value is { readonly def: unknown } {
  return hasProperty(value, 'def');
}

function hasProperty<Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> {
  return typeof value === 'object' && value !== null && key in value;
}

function invalid(fileName: string, where: string, what: string, hint?: string): BulkheadError {
  return new BulkheadError('config_invalid', `${fileName}${where}: ${what}`, {
    fix: hint ?? `Correct ${fileName} and try again.`,
    details: { file: fileName },
  });
}
