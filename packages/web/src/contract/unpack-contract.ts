import type { CallType, EnumType, FieldType, MessageType } from './message-type.ts';
import { MAY_BE_LEFT_OUT, type PackedContract, TEXT_TYPE } from './packed-contract.ts';

/** `FeatureSet_FieldPresence.IMPLICIT`. */
const ALWAYS_THERE = 2;

const MARKED: ReadonlyMap<string, FieldType['fieldKind']> = new Map([
  ['*', 'list'],
  ['%', 'map'],
]);

const FIELD = /^(?:(\w+)\/)?(\w+)([*%?]?)(?:([#@=])(\d+))?$/;

/** The calls of a packed service, by name. */
export function unpackContract(packed: PackedContract): Readonly<Record<string, CallType>> {
  const enums = packed.enums.map(
    (names): EnumType => ({ values: names.split(' ').map((name, number) => ({ name, number })) }),
  );
  const messages = packed.messages.map((): { fields: readonly FieldType[] } => ({ fields: [] }));
  for (const [index, message] of messages.entries()) {
    const fields = packed.messages[index]?.split(' ') ?? [];
    message.fields = fields.filter((field) => field !== '').map((field) => fieldOf(field, messages, enums));
  }
  const nothing: MessageType = { fields: [] };
  return Object.fromEntries(
    packed.calls.map(([localName, input, output]) => [
      localName,
      { localName, input: messages[input] ?? nothing, output: messages[output] ?? nothing },
    ]),
  );
}

function fieldOf(packed: string, messages: readonly MessageType[], enums: readonly EnumType[]): FieldType {
  const [, oneof, localName = '', mark = '', kind = '', number] = FIELD.exec(packed) ?? [];
  const index = Number(number);
  const isMessage = kind === '@';
  const scalar = kind === '#' ? index : TEXT_TYPE;
  const mayBeLeftOut = mark === '?' || (isMessage && mark === '');
  return {
    localName,
    fieldKind: MARKED.get(mark) ?? (isMessage ? 'message' : 'scalar'),
    scalar: isMessage || kind === '=' ? undefined : scalar,
    enum: kind === '=' ? enums[index] : undefined,
    message: isMessage ? messages[index] : undefined,
    presence: mayBeLeftOut ? MAY_BE_LEFT_OUT : ALWAYS_THERE,
    oneof: oneof === undefined ? undefined : { localName: oneof },
  };
}
