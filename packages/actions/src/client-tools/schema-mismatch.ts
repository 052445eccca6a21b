import { isObject, type JsonSchema, own } from './json-schema.ts';

/**
 * Maximum of checks of a value against a schema: limits the cost of any schema with any arguments.
 */
const MAX_STEPS = 20_000;
/** Deepest nesting of schemas, references included. */
const MAX_DEPTH = 300;

/**
 * Finds how arguments differ from the JSON Schema of a program, so that the model gets the error
 * immediately. Supports `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`,
 * `items`, bounds of numbers, texts and lists, `anyOf`, `oneOf`, `allOf` and `$ref` within the
 * schema. The program must check everything else, such as patterns.
 *
 * @returns the error with its place; undefined if the arguments fit
 */
export function schemaMismatch(schema: JsonSchema, value: unknown): string | undefined {
  return new SchemaCheck(schema).mismatch(schema, value, '');
}

class SchemaCheck {
  readonly #root: JsonSchema;
  #steps = 0;
  #depth = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  mismatch(schema: unknown, value: unknown, path: string): string | undefined {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS || this.#depth > MAX_DEPTH)
      return `${place(path)}takes too long to be compared with its schema`;
    if (schema === false) return `${place(path)}is not allowed`;
    if (!isObject(schema)) return undefined;
    this.#depth += 1;
    const wrong = this.#wrongBy(schema, value, path);
    this.#depth -= 1;
    return wrong;
  }

  #wrongBy(schema: JsonSchema, value: unknown, path: string): string | undefined {
    const reference = own(schema, '$ref');
    if (typeof reference === 'string') return this.mismatch(this.#resolve(reference), value, path);
    return (
      wrongType(schema, value, path) ??
      outOfBounds(schema, value, path) ??
      this.#wrongChoice(schema, value, path) ??
      (isObject(value) ? this.#wrongMember(schema, value, path) : undefined) ??
      (Array.isArray(value) ? this.#wrongItem(schema, value, path) : undefined)
    );
  }

  #resolve(reference: string): unknown {
    if (reference === '#') return this.#root;
    if (!reference.startsWith('#/')) return undefined;
    let at: unknown = this.#root;
    for (const part of reference.slice(2).split('/')) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      at = isObject(at) ? own(at, name) : undefined;
    }
    return at;
  }

  #wrongChoice(schema: JsonSchema, value: unknown, path: string): string | undefined {
    const all = listOf(schema, 'allOf');
    for (const each of all) {
      const wrong = this.mismatch(each, value, path);
      if (wrong !== undefined) return wrong;
    }
    for (const key of ['anyOf', 'oneOf']) {
      const choices = listOf(schema, key);
      if (choices.length > 0 && choices.every((each) => this.mismatch(each, value, path) !== undefined)) {
        return `${place(path)}is none of the ${choices.length} forms it may have`;
      }
    }
    return undefined;
  }

  #wrongMember(
    schema: JsonSchema,
    value: Readonly<Record<string, unknown>>,
    path: string,
  ): string | undefined {
    const missing = listOf(schema, 'required').find(
      (name) => typeof name === 'string' && !Object.hasOwn(value, name),
    );
    if (missing !== undefined) return `${at(path, String(missing))}is missing`;
    const properties = own(schema, 'properties');
    const known = isObject(properties) ? properties : {};
    const others = own(schema, 'additionalProperties');
    for (const [name, member] of Object.entries(value)) {
      const isKnown = Object.hasOwn(known, name);
      if (!isKnown && others === false)
        return `${at(path, name)}is not known; known: ${Object.keys(known).join(', ')}`;
      const wrong = this.mismatch(isKnown ? known[name] : others, member, `${path}.${name}`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  #wrongItem(schema: JsonSchema, value: readonly unknown[], path: string): string | undefined {
    const items = own(schema, 'items');
    for (const [index, item] of value.entries()) {
      const wrong = this.mismatch(items, item, `${path}[${index}]`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
}

function wrongType(schema: JsonSchema, value: unknown, path: string): string | undefined {
  const type = own(schema, 'type');
  const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
  if (value === null && own(schema, 'nullable') === true) return undefined;
  if (types.length > 0 && !types.some((each) => isOfType(value, each))) {
    return `${place(path)}must be ${types.join(' or ')}`;
  }
  const options = own(schema, 'enum');
  if (Array.isArray(options) && !isAmong(options, value)) {
    return `${place(path)}must be one of ${JSON.stringify(options).slice(0, 500)}`;
  }
  if (Object.hasOwn(schema, 'const') && !isAmong([schema['const']], value)) {
    return `${place(path)}must be ${JSON.stringify(schema['const']).slice(0, 200)}`;
  }
  return undefined;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'null':
      return value === null;
    default:
      return true;
  }
}

function isAmong(options: readonly unknown[], value: unknown): boolean {
  const text = typeof value === 'object' ? JSON.stringify(value) : undefined;
  return options.some(
    (each) =>
      each === value || (text !== undefined && typeof each === 'object' && JSON.stringify(each) === text),
  );
}

type Bound = readonly [keyword: string, isBroken: (size: number, bound: number) => boolean, words: string];

const OF_NUMBERS: readonly Bound[] = [
  ['minimum', (size, bound) => size < bound, 'must be at least'],
  ['maximum', (size, bound) => size > bound, 'must be at most'],
  ['exclusiveMinimum', (size, bound) => size <= bound, 'must be more than'],
  ['exclusiveMaximum', (size, bound) => size >= bound, 'must be less than'],
];
const OF_TEXTS: readonly Bound[] = [
  ['minLength', (size, bound) => size < bound, 'must have at least as many characters as'],
  ['maxLength', (size, bound) => size > bound, 'must have no more characters than'],
];
const OF_LISTS: readonly Bound[] = [
  ['minItems', (size, bound) => size < bound, 'must have at least as many members as'],
  ['maxItems', (size, bound) => size > bound, 'must have no more members than'],
];

function outOfBounds(schema: JsonSchema, value: unknown, path: string): string | undefined {
  const [size, bounds] = measured(value);
  for (const [keyword, isBroken, words] of bounds) {
    const bound = own(schema, keyword);
    if (typeof bound === 'number' && isBroken(size, bound)) return `${place(path)}${words} ${bound}`;
  }
  return undefined;
}

function measured(value: unknown): readonly [size: number, bounds: readonly Bound[]] {
  if (typeof value === 'number') return [value, OF_NUMBERS];
  if (typeof value === 'string') return [[...value].length, OF_TEXTS];
  return Array.isArray(value) ? [value.length, OF_LISTS] : [0, []];
}

function listOf(schema: JsonSchema, name: string): readonly unknown[] {
  const value = own(schema, name);
  return Array.isArray(value) ? value : [];
}

function at(path: string, name: string): string {
  return place(`${path}.${name}`);
}

function place(path: string): string {
  return path === '' ? 'the arguments: ' : `${path.replace(/^\./, '').slice(0, 200)}: `;
}
