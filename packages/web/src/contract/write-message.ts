import type { DescMessage, JsonValue, MessageInitShape } from '@bufbuild/protobuf';
import { type FieldType, type MessageType, membersOf } from './message-type.ts';
import { MAY_BE_LEFT_OUT } from './packed-contract.ts';
import { scalarKind } from './scalar-kind.ts';

/**
 * The JSON of a message, as https://protobuf.dev/programming-guides/json has it. Leaves out empty
 * values (empty text, 0, no element).
 */
export function writeMessage<Type extends DescMessage>(type: Type, init: MessageInitShape<Type>): JsonValue;
export function writeMessage(type: MessageType, init: unknown): JsonValue {
  return writeMembers(type, init);
}

function writeMembers({ fields }: MessageType, init: unknown): JsonValue {
  const members = membersOf(init);
  const json: Record<string, JsonValue> = {};
  for (const field of fields) {
    if (field.oneof === undefined) {
      const value = members.get(field.localName);
      if (value !== undefined && !isEmpty(field, value)) json[field.localName] = writeField(field, value);
      continue;
    }
    const chosen = membersOf(members.get(field.oneof.localName));
    if (chosen.get('case') === field.localName)
      json[field.localName] = writeField(field, chosen.get('value'));
  }
  return json;
}

function isEmpty(field: FieldType, value: unknown): boolean {
  if (field.presence === MAY_BE_LEFT_OUT) return false;
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}

function writeField(field: FieldType, value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map((one) => writeOne(field, one));
  if (field.fieldKind !== 'map') return writeOne(field, value);
  return Object.fromEntries([...membersOf(value)].map(([key, one]) => [key, writeOne(field, one)]));
}

function writeOne(field: FieldType, value: unknown): JsonValue {
  if (field.message !== undefined) return writeMembers(field.message, value);
  if (field.enum !== undefined) return field.enum.values.find(({ number }) => number === value)?.name ?? 0;
  return scalarKind(field.scalar).write(value);
}
