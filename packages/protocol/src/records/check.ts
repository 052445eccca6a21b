import type { JsonValue } from '@bufbuild/protobuf';
import type { DurableEventBody } from '../events.ts';

/**
 * True for a value of the named kind. Written by hand for speed: every record that is read passes
 * through these.
 */
export type Check<Value> = (value: unknown) => value is Value;

/** The body of a record that clients see unchanged: the event without its type. */
export type FieldsOf<Type extends DurableEventBody['type']> = Omit<
  Extract<DurableEventBody, { readonly type: Type }>,
  'type'
>;

/** A check for each field of a body. Other fields are kept and not checked. */
export type Shape<Body> = { readonly [Name in keyof Body]-?: Check<Body[Name]> };

export const text: Check<string> = (value) => typeof value === 'string';
export const number: Check<number> = (value) => typeof value === 'number';
export const flag: Check<boolean> = (value) => typeof value === 'boolean';
export const yes: Check<true> = (value) => value === true;
/** Any JSON value; another reader checks it. */
export const json: Check<JsonValue> = (value): value is JsonValue => value !== undefined;
export const anything: Check<unknown> = (_value): _value is unknown => true;

export function optional<Value>(check: Check<Value>): Check<Value | undefined> {
  return (value) => value === undefined || check(value);
}

export function nullable<Value>(check: Check<Value>): Check<Value | null> {
  return (value) => value === null || check(value);
}

export function list<Value>(check: Check<Value>): Check<readonly Value[]> {
  return (value) => Array.isArray(value) && value.every(check);
}

/** @param words all of them: the compiler reports a missing one */
export function oneOf<Word extends string>(words: Readonly<Record<Word, true>>): Check<Word> {
  const known = new Set<unknown>(Object.keys(words));
  return (value): value is Word => known.has(value);
}

export function object<Body extends object>(shape: Shape<Body>): Check<Body> {
  const fields = fieldsOf(shape);
  return (value): value is Body => isObject(value) && unfit(fields, value) === undefined;
}

type Field = readonly [name: string, check: Check<unknown>];
export type Fields = readonly Field[];

export function fieldsOf(shape: object): Fields {
  return Object.entries(shape);
}

/** The first invalid field. */
export function unfit(fields: Fields, body: Readonly<Record<string, unknown>>): Field | undefined {
  for (const field of fields) if (!field[1](body[field[0]])) return field;
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
