import type { EffectKind } from '../annotations/tool-annotation.ts';
import type { StoredValue } from './values.ts';

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
}

/** The same, growing with each observation. */
export class GrowingIndex implements ValueIndex {
  readonly byNormal = new Map<string, StoredValue[]>();
  readonly byRow = new Map<string, StoredValue[]>();
  readonly byList = new Map<string, string[]>();

  add(values: readonly StoredValue[]): void {
    for (const value of values) {
      push(this.byNormal, value.normal, value);
      if (!this.byRow.has(value.row)) push(this.byList, value.list, value.row);
      push(this.byRow, value.row, value);
    }
  }
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
