import type { FieldAnnotation, FieldUse, ResultAnnotation, Writer } from '@bulkhead/protocol';
import { identifierOf } from './identifiers.ts';
import type { Label } from './label.ts';
import { type Parsed, type ParsedObject, parseResult } from './parse-result.ts';
import { wordsOf } from './words.ts';

/**
 * One value of a tool's result, and who could have written it. Plain data: it is stored with the
 * session.
 */
export interface StoredValue {
  readonly text: string;
  /** Normalized, for comparison. */
  readonly normal: string;
  /** Number of its observation. */
  readonly call: number;
  readonly tool: string;
  /** Name of its field; empty for a bare text. */
  readonly field: string;
  /** The item it belongs to, unique in the session. */
  readonly row: string;
  /** The list of the item: items of one list are rivals. */
  readonly list: string;
  readonly writer: Writer;
  readonly as: FieldUse;
}

/** Longest name or address, in characters; longer text or many lines are free text. */
const MAX_IDENTITY = 100;

/** Most words of an identity: a sentence is not a name. */
const MAX_IDENTITY_WORDS = 8;

/** A service's own text is short and on one line; longer text was written by a person. */
const MAX_OF_SERVICE = 200;

/** Most values kept of one result; others endorse nothing. */
const MAX_VALUES = 5_000;

/** One spelling for comparison: an identifier's normal form, else folded words. */
export function normalOf(text: string): string {
  const identifier = identifierOf(text.trim());
  return identifier?.normal ?? (wordsOf(text).join(' ') || text.trim());
}

/**
 * Splits a result into values.
 */
export function valuesOf(
  text: string,
  origin: { readonly call: number; readonly tool: string },
  annotation: ResultAnnotation,
): readonly StoredValue[] {
  const values: StoredValue[] = [];
  const walker = new Walker(origin, annotation, values);
  walker.walk(parseResult(text), { row: '', list: '', field: '', depth: 0 });
  return values;
}

/** True if someone other than the user, the folder or the service could have written a value. */
export function hasExternal(values: readonly StoredValue[]): boolean {
  return values.some(({ writer }) => writer === 'external');
}

interface Place {
  readonly row: string;
  readonly list: string;
  readonly field: string;
  readonly depth: number;
}

class Walker {
  readonly #origin: { readonly call: number; readonly tool: string };
  readonly #annotation: ResultAnnotation;
  readonly #values: StoredValue[];

  constructor(
    origin: { readonly call: number; readonly tool: string },
    annotation: ResultAnnotation,
    values: StoredValue[],
  ) {
    this.#origin = origin;
    this.#annotation = annotation;
    this.#values = values;
  }

  walk(value: Parsed, place: Place): void {
    if (this.#values.length >= MAX_VALUES || value === null) return;
    if (typeof value !== 'object') this.#leaf(String(value), place);
    else if (isList(value)) this.#list(value, place);
    else this.#object(value, place);
  }

  #list(members: readonly Parsed[], place: Place): void {
    const { call, tool } = this.#origin;
    for (const [index, member] of members.entries()) {
      const inRow = place.row !== '';
      const row = inRow ? place.row : `${call}#${index}`;
      const list = inRow ? place.list : `${tool}:${place.field}`;
      this.walk(member, { ...place, row, list, depth: place.depth + 1 });
    }
  }

  #object(object: ParsedObject, place: Place): void {
    const { keys } = this.#annotation;
    const { call, tool } = this.#origin;
    const scalars = Object.values(object).some((value) => typeof value !== 'object');
    for (const [index, [key, value]] of Object.entries(object).entries()) {
      if (keys !== undefined && place.row === '') {
        const inKey = { row: `${call}#${index}`, list: `${tool}:`, field: '', depth: place.depth + 1 };
        this.#add(key, inKey, keys);
        this.walk(value, inKey);
        continue;
      }
      // A list of objects, or a separate list, is a list of items; other data belongs to one item.
      const items = isList(value) && (!scalars || value.some((member) => typeof member === 'object'));
      const row = place.row === '' && !items ? `${call}#` : place.row;
      this.walk(value, { row, list: `${tool}:`, field: key, depth: place.depth + 1 });
    }
  }

  #leaf(text: string, place: Place): void {
    const { fields, items, writer } = this.#annotation;
    const known = fields?.[place.field] ?? (isBareMember(place, fields) ? items : undefined);
    this.#add(text, place, known ?? { writer });
  }

  #add(text: string, place: Place, { writer, as = 'text' }: FieldAnnotation): void {
    if (text.trim() === '') return;
    const { call, tool } = this.#origin;
    const shaped = hasShape(text.trim(), writer, as);
    this.#values.push({
      text,
      normal: normalOf(text),
      call,
      tool,
      field: place.field,
      row: place.row === '' ? `${call}#` : place.row,
      list: place.list === '' ? `${tool}:` : place.list,
      // An identity of the wrong shape was crafted to look like something else.
      writer: shaped ? writer : 'external',
      as: shaped ? as : 'text',
    });
  }
}

function hasShape(text: string, writer: Writer, as: FieldUse): boolean {
  const short = !text.includes('\n') && text.length <= MAX_OF_SERVICE;
  if (writer === 'service' && !short) return false;
  if (as === 'text') return true;
  if (!short || text.length > MAX_IDENTITY) return false;
  return as === 'name' || wordsOf(text).length <= MAX_IDENTITY_WORDS || identifierOf(text) !== undefined;
}

function isBareMember(place: Place, fields: ResultAnnotation['fields']): boolean {
  return place.depth > 0 && fields?.[place.field] === undefined;
}

function isList(value: Parsed): value is readonly Parsed[] {
  return Array.isArray(value);
}

/**
 * Adapts values to the label: raised where the whole text is foreign, lowered where the engine
 * knows it is not.
 */
export function relabelled(
  values: readonly StoredValue[],
  label: Label,
  raise: boolean,
): readonly StoredValue[] {
  if (raise) return values.map((value) => ({ ...value, writer: 'external', as: 'text' }));
  if (label.trust === 'external') return values;
  return values.map((value) => (value.writer === 'external' ? { ...value, writer: 'workspace' } : value));
}
