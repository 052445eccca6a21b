import type { EffectKind } from '../annotations/tool-annotation.ts';
import { type Identifier, identifiersIn } from './identifiers.ts';
import type { StoredValue } from './values.ts';
import { tellingWords } from './words.ts';

/** One call with its result, as the session keeps it. Plain data. */
export interface Observation {
  readonly index: number;
  readonly tool: string;
  readonly effect: EffectKind;
  /** Every text and number in the call's arguments. */
  readonly arguments: readonly string[];
  /** The user named what was opened: what it holds is what the user pointed to. */
  readonly pointed: boolean;
  readonly values: readonly StoredValue[];
}

/** Values of all observations, found by what they say and by the item they belong to. */
export interface ValueIndex {
  readonly byNormal: ReadonlyMap<string, readonly StoredValue[]>;
  readonly byRow: ReadonlyMap<string, readonly StoredValue[]>;
  readonly byList: ReadonlyMap<string, readonly string[]>;
  /** What a value's text holds; read once for each value. */
  identifiersOf(value: StoredValue): readonly Identifier[];
  /** The telling words of a value's text, without a file's ending; read once for each value. */
  wordsOf(value: StoredValue): readonly string[];
}

/** The same, growing with each observation. */
export class GrowingIndex implements ValueIndex {
  readonly byNormal = new Map<string, StoredValue[]>();
  readonly byRow = new Map<string, StoredValue[]>();
  readonly byList = new Map<string, string[]>();
  readonly #identifiers = new Map<StoredValue, readonly Identifier[]>();
  readonly #words = new Map<StoredValue, readonly string[]>();

  add(values: readonly StoredValue[]): void {
    for (const value of values) {
      push(this.byNormal, value.normal, value);
      if (!this.byRow.has(value.row)) push(this.byList, value.list, value.row);
      push(this.byRow, value.row, value);
      // Read now, while a result is waited for anyway: a decision must be quick.
      this.identifiersOf(value);
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
