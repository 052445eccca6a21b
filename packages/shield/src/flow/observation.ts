import type { EffectKind } from '@bulkhead/protocol';
import { hostOfUrl, type Identifier, identifiersIn } from './identifiers.ts';
import type { StoredValue } from './values.ts';
import { tellingWords } from './words.ts';

/** One call with its result, as the session keeps it. Plain data. */
export interface Observation {
  readonly index: number;
  readonly tool: string;
  readonly effect: EffectKind;
  /** Every text and number in the call's arguments. */
  readonly arguments: readonly string[];
  /** The user named the opened thing: its content is what the user referred to. */
  readonly pointed: boolean;
  readonly values: readonly StoredValue[];
}

/** Values of all observations, indexed by content and by item. */
export interface ValueIndex {
  readonly byNormal: ReadonlyMap<string, readonly StoredValue[]>;
  readonly byRow: ReadonlyMap<string, readonly StoredValue[]>;
  readonly byList: ReadonlyMap<string, readonly string[]>;
  /** Returns the values whose text holds an identifier, in reading order. */
  holding(identifier: Pick<Identifier, 'type' | 'normal'>): readonly StoredValue[];
  /** The values whose text holds a link to a host. */
  linkingTo(host: string): readonly StoredValue[];
  /** Returns the values whose text contains this exact text, in reading order. */
  containing(text: string): Iterable<StoredValue>;
  /** Returns the identifiers in a value's text; computed once for each value. */
  identifiersOf(value: StoredValue): readonly Identifier[];
  /**
   * Returns the significant words of a value's text, without a file's ending; computed once for
   * each value.
   */
  wordsOf(value: StoredValue): readonly string[];
}

/** A value index that grows with each observation. */
export class GrowingIndex implements ValueIndex {
  readonly byNormal = new Map<string, StoredValue[]>();
  readonly byRow = new Map<string, StoredValue[]>();
  readonly byList = new Map<string, string[]>();
  readonly #byIdentifier = new Map<string, StoredValue[]>();
  readonly #byHost = new Map<string, StoredValue[]>();
  /**
   * Each result, with all its texts as one: searching one long text is faster than many short ones.
   */
  readonly #results: { readonly text: string; readonly values: readonly StoredValue[] }[] = [];
  readonly #identifiers = new Map<StoredValue, readonly Identifier[]>();
  readonly #words = new Map<StoredValue, readonly string[]>();

  add(values: readonly StoredValue[]): void {
    for (const value of values) {
      push(this.byNormal, value.normal, value);
      if (!this.byRow.has(value.row)) push(this.byList, value.list, value.row);
      push(this.byRow, value.row, value);
      // Computed now, while the run waits for results anyway: a decision must be quick.
      for (const { type, normal } of this.identifiersOf(value)) {
        push(this.#byIdentifier, `${type} ${normal}`, value);
        if (type === 'url') push(this.#byHost, hostOfUrl(normal), value);
      }
    }
    this.#results.push({ text: values.map(({ text }) => text).join('\0'), values });
  }

  holding({ type, normal }: Pick<Identifier, 'type' | 'normal'>): readonly StoredValue[] {
    return this.#byIdentifier.get(`${type} ${normal}`) ?? [];
  }

  linkingTo(host: string): readonly StoredValue[] {
    return this.#byHost.get(host) ?? [];
  }

  *containing(text: string): Generator<StoredValue> {
    for (const result of this.#results) {
      if (!result.text.includes(text)) continue;
      yield* result.values.filter((value) => value.text.includes(text));
    }
  }

  identifiersOf(value: StoredValue): readonly Identifier[] {
    return once(this.#identifiers, value, () => identifiersIn(value.text));
  }

  wordsOf(value: StoredValue): readonly string[] {
    return once(this.#words, value, () =>
      tellingWords(value.as === 'name' ? value.text.replace(/\.[a-z0-9]{1,5}$/iu, '') : value.text),
    );
  }
}

function once<Value>(map: Map<StoredValue, Value>, key: StoredValue, read: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = read();
  map.set(key, value);
  return value;
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
