/**
 * The calls of a service and their messages, in few bytes. A message is its fields, separated by
 * spaces: `ONEOF/NAME`, then `*` of a list, `%` of a map or `?` of an optional one, then `#N` of a
 * scalar type (none: text), `@N` of a message or `=N` of an enum.
 */
export interface PackedContract {
  readonly messages: readonly string[];
  /** Names, separated by spaces; their positions are their numbers. */
  readonly enums: readonly string[];
  /** Name of a call, positions of its two messages. */
  readonly calls: readonly (readonly [name: string, input: number, output: number])[];
}

/** Number of the most frequent scalar type. */
export const TEXT_TYPE = 9;

/** `FeatureSet_FieldPresence.EXPLICIT`: its module would load the whole library. */
export const MAY_BE_LEFT_OUT = 1;
