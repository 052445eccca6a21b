import {
  create,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonValue,
  toJson,
} from '@bufbuild/protobuf';
import { FieldDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import {
  ClientService,
  DecideApprovalRequestSchema,
  ListSessionsResponseSchema,
} from '@bulkhead/protocol/client';
import { ROUTES } from '@bulkhead/protocol/routes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packContract } from './contract-plugin.ts';
import type { CallType, MessageType } from './message-type.ts';

import { readMessage } from './read-message.ts';
import { unpackContract } from './unpack-contract.ts';
import { writeMessage } from './write-message.ts';

const methods: Readonly<Record<string, (typeof ClientService.method)[keyof typeof ClientService.method]>> =
  ClientService.method;
const unpacked = unpackContract(packContract(methods, Object.keys(ROUTES)));
const called = Object.keys(ROUTES).flatMap((name) => methods[name] ?? []);

describe('the contract as the browser has it', () => {
  it('is what the descriptors say, of each call that has a route', () => {
    expect(called).toHaveLength(Object.keys(ROUTES).length);
    for (const method of called) {
      const call: CallType | undefined = unpacked[method.localName];
      expect(call?.localName).toBe(method.localName);
      expectSame(call?.input, method.input, new Set());
      expectSame(call?.output, method.output, new Set());
    }
  });

  it('refuses to be packed with a call that there is not', () => {
    expect(() => packContract(methods, ['noSuchCall'])).toThrow('no call noSuchCall');
  });
});

describe('messages as JSON', () => {
  it.each(called.map(({ localName, output }) => [localName, output] as const))(
    'reads every answer of %s as the library does',
    (_name, type) => {
      fc.assert(
        fc.property(jsonOf(type, 3), (json) => {
          const wanted = fromJson(type, json);
          // Also the form of an engine that writes no empty values.
          expect(plain(readMessage(type, json))).toEqual(plain(wanted));
          expect(plain(readMessage(type, toJson(type, wanted)))).toEqual(plain(wanted));
        }),
        { numRuns: 30 },
      );
    },
  );

  it.each(called.map(({ localName, input }) => [localName, input] as const))(
    'writes every question of %s as the library does',
    (_name, type) => {
      fc.assert(
        fc.property(jsonOf(type, 3), (json) => {
          const message = fromJson(type, json);
          expect(fromJson(type, writeMessage(type, message))).toEqual(message);
        }),
        { numRuns: 30 },
      );
    },
  );

  it('writes what a page gives: a part of the message', () => {
    expect(writeMessage(DecideApprovalRequestSchema, { approvalId: 'a', answer: 1 })).toEqual(
      toJson(
        DecideApprovalRequestSchema,
        create(DecideApprovalRequestSchema, { approvalId: 'a', answer: 1 }),
      ),
    );
  });

  it('tells empty from left out, where that is not the same', () => {
    const type = FieldDescriptorProtoSchema;
    expect(readMessage(type, { name: '' })).toMatchObject({ name: '' });
    expect(Object.keys(readMessage(type, {}))).not.toContain('name');
    expect(writeMessage(type, { name: '', number: 0 })).toEqual({ name: '', number: 0 });
  });

  it('leaves out what it does not know, and names what it can not read', () => {
    expect(readMessage(ListSessionsResponseSchema, { later: 1 })).toEqual({ sessions: [] });
    expect(() => readMessage(ListSessionsResponseSchema, { sessions: [{ title: 7 }] })).toThrow('title');
    expect(() => readMessage(ListSessionsResponseSchema, { sessions: {} })).toThrow('sessions');
  });
});

/** Both have the same fields, and so do their messages. */
function expectSame(packed: MessageType | undefined, real: DescMessage, seen: Set<string>): void {
  if (seen.has(real.typeName)) return;
  seen.add(real.typeName);
  expect(packed?.fields.map(({ localName }) => localName)).toEqual(
    real.fields.map(({ localName }) => localName),
  );
  for (const [at, field] of real.fields.entries()) {
    const found = packed?.fields[at];
    expect(found?.scalar).toBe(field.scalar);
    if (field.oneof === undefined) expect(found?.presence).toBe(field.presence);
    expect(found?.oneof?.localName).toBe(field.oneof?.localName);
    expect(found?.enum?.values.map(({ name }) => name)).toEqual(field.enum?.values.map(({ name }) => name));
    expect(['list', 'map'].includes(field.fieldKind)).toBe(['list', 'map'].includes(found?.fieldKind ?? ''));
    if (field.message !== undefined) expectSame(found?.message, field.message, seen);
  }
}

/** Any valid JSON of such a message. */
function jsonOf(type: DescMessage, depth: number): fc.Arbitrary<JsonValue> {
  const inOneof = new Set(type.fields.filter(({ oneof }) => oneof !== undefined));
  const alone = type.fields.filter((field) => !inOneof.has(field));
  const members: Record<string, fc.Arbitrary<JsonValue>> = Object.fromEntries(
    alone.map((field) => [field.jsonName, fieldJson(field, depth)]),
  );
  const plainPart = fc
    .record(members, { requiredKeys: [] })
    .map((record) =>
      Object.fromEntries(
        Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
    );
  if (inOneof.size === 0) return plainPart;
  const choices = [...inOneof].map((field) =>
    fieldJson(field, depth).map((value): Record<string, JsonValue> => ({ [field.jsonName]: value })),
  );
  return fc.tuple(plainPart, fc.oneof(...choices)).map(([rest, chosen]) => ({ ...rest, ...chosen }));
}

function fieldJson(field: DescField, depth: number): fc.Arbitrary<JsonValue> {
  const one = oneJson(field, depth);
  if (field.fieldKind === 'list') return fc.array(one, { maxLength: 2 });
  if (field.fieldKind === 'map') return fc.dictionary(fc.string({ maxLength: 5 }), one, { maxKeys: 2 });
  return one;
}

function oneJson({ message, enum: numbers, scalar }: DescField, depth: number): fc.Arbitrary<JsonValue> {
  if (message !== undefined) return depth === 0 ? fc.constant({}) : jsonOf(message, depth - 1);
  if (numbers !== undefined) return fc.constantFrom(...numbers.values.map(({ name }) => name));
  switch (scalar) {
    case 1:
      return fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => (value === 0 ? 0 : value));
    case 3:
    case 4:
      return fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }).map(String);
    case 8:
      return fc.boolean();
    case 9:
      return fc.string({ maxLength: 9 });
    case 12:
      return fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    default:
      return fc.nat();
  }
}

/** Without the library's internal fields. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Uint8Array) return [...value];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !name.startsWith('$'))
      .map(([name, one]) => [name, plain(one)]),
  );
}
