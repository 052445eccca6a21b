/**
 * The calls of a service and the messages they are made of, in few bytes. A message is its fields, apart by a space:
 * `ONEOF/NAME`, then `*` of a list, `%` of a map or `?` of what may be left out, then `#N` of a scalar type (none: text), `@N` of a message or `=N` of an enum.
 */
export interface PackedContract {
  readonly messages: readonly string[];
  /** Names, apart by a space; their places are their numbers. */
  readonly enums: readonly string[];
  /** Name of a call, places of its two messages. */
  readonly calls: readonly (readonly [name: string, input: number, output: number])[];
}

/** Number of the scalar type that most fields have. */
export const TEXT_TYPE = 9;

/** `FeatureSet_FieldPresence.EXPLICIT`: its module would bring all of the library along. */
export const MAY_BE_LEFT_OUT = 1;
