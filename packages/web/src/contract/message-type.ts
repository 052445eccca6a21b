import type { ScalarType } from '@bufbuild/protobuf';
import type { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';

/** What must be known of a message to write it as JSON and to read it. The descriptors of the contract are such types too. */
export interface MessageType {
  readonly fields: readonly FieldType[];
}

export interface EnumType {
  readonly values: readonly { readonly name: string; readonly number: number }[];
}

/** One of `scalar`, `enum` and `message` says what its value is, or each of its values. */
export interface FieldType {
  readonly localName: string;
  readonly fieldKind: 'scalar' | 'enum' | 'message' | 'list' | 'map';
  readonly scalar: ScalarType | undefined;
  readonly enum: EnumType | undefined;
  readonly message: MessageType | undefined;
  /** `EXPLICIT` of a value that may be left out, which is not the same as empty. */
  readonly presence: FeatureSet_FieldPresence;
  /** The member that tells which one of several fields is there. */
  readonly oneof: { readonly localName: string } | undefined;
}

/** A call: its name, what it is asked with and what it answers with. */
export interface CallType {
  readonly localName: string;
  readonly input: MessageType;
  readonly output: MessageType;
}

/** The members of an object that came from elsewhere. */
export function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
