import type { ScalarType } from '@bufbuild/protobuf';
import type { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';

/**
 * The facts about a message for writing and reading it as JSON. The contract's descriptors are such
 * types too.
 */
export interface MessageType {
  readonly fields: readonly FieldType[];
}

export interface EnumType {
  readonly values: readonly { readonly name: string; readonly number: number }[];
}

/** One of `scalar`, `enum` and `message` gives the type of its value, or of each of its values. */
export interface FieldType {
  readonly localName: string;
  readonly fieldKind: 'scalar' | 'enum' | 'message' | 'list' | 'map';
  readonly scalar: ScalarType | undefined;
  readonly enum: EnumType | undefined;
  readonly message: MessageType | undefined;
  /** `EXPLICIT` of a value that may be left out, which differs from empty. */
  readonly presence: FeatureSet_FieldPresence;
  /** The member that names the field in use among several. */
  readonly oneof: { readonly localName: string } | undefined;
}

/** A call: its name, its request and its answer. */
export interface CallType {
  readonly localName: string;
  readonly input: MessageType;
  readonly output: MessageType;
}

/** The members of a foreign object. */
export function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
