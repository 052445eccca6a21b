import type { DescMessage, JsonValue, MessageShape } from '@bufbuild/protobuf';
import { type FieldType, type MessageType, membersOf } from './message-type.ts';
import { MAY_BE_LEFT_OUT } from './packed-contract.ts';
import { scalarKind } from './scalar-kind.ts';

/**
 * Reads a message from its JSON, as https://protobuf.dev/programming-guides/json has it. Leaves out
 * unknown members and enum values, because a newer engine may have more.
 *
 * @throws Error that names the member whose value has another type
 */
export function readMessage<Type extends DescMessage>(type: Type, json: JsonValue): MessageShape<Type>;
export function readMessage(type: MessageType, json: JsonValue): object {
  return readMembers(type, json);
}

function readMembers({ fields }: MessageType, json: unknown): object {
  const members = membersOf(json);
  const message: Record<string, unknown> = {};
  for (const field of fields) {
    const value = members.get(field.localName) ?? undefined;
    if (field.oneof === undefined) {
      if (value !== undefined || field.presence !== MAY_BE_LEFT_OUT)
        message[field.localName] = readField(field, value);
    } else if (value !== undefined) {
      message[field.oneof.localName] = { case: field.localName, value: readField(field, value) };
    } else message[field.oneof.localName] ??= { case: undefined };
  }
  return message;
}

function readField(field: FieldType, value: unknown): unknown {
  if (field.fieldKind === 'list') {
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw unreadable(field);
    return value.map((one) => readOne(field, one));
  }
  if (field.fieldKind === 'map')
    return Object.fromEntries([...membersOf(value)].map(([key, one]) => [key, readOne(field, one)]));
  return readOne(field, value);
}

function readOne(field: FieldType, value: unknown): unknown {
  if (field.message !== undefined) return value === undefined ? undefined : readMembers(field.message, value);
  if (field.enum !== undefined) return field.enum.values.find(({ name }) => name === value)?.number ?? 0;
  const kind = scalarKind(field.scalar);
  if (value === undefined) return kind.initial();
  const read = kind.read(value);
  if (read === undefined) throw unreadable(field);
  return read;
}

function unreadable({ localName }: FieldType): Error {
  return new Error(`The engine's answer has a member ${localName} that can't be read.`);
}
