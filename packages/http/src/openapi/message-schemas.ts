import { type DescEnum, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { COMMENTS } from '@bulkhead/protocol/comments';

/** A JSON Schema, as far as we use it. */
export type Schema = Readonly<Record<string, unknown>>;

const SCALARS: Readonly<Record<ScalarType, Schema>> = {
  [ScalarType.DOUBLE]: { type: 'number', format: 'double' },
  [ScalarType.FLOAT]: { type: 'number', format: 'float' },
  [ScalarType.INT32]: { type: 'integer', format: 'int32' },
  [ScalarType.SINT32]: { type: 'integer', format: 'int32' },
  [ScalarType.SFIXED32]: { type: 'integer', format: 'int32' },
  [ScalarType.UINT32]: { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
  [ScalarType.FIXED32]: { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
  // JSON numbers can't hold all 64-bit values exactly.
  [ScalarType.INT64]: { type: 'string', pattern: '^-?[0-9]+$' },
  [ScalarType.SINT64]: { type: 'string', pattern: '^-?[0-9]+$' },
  [ScalarType.SFIXED64]: { type: 'string', pattern: '^-?[0-9]+$' },
  [ScalarType.UINT64]: { type: 'string', pattern: '^[0-9]+$' },
  [ScalarType.FIXED64]: { type: 'string', pattern: '^[0-9]+$' },
  [ScalarType.BOOL]: { type: 'boolean' },
  [ScalarType.STRING]: { type: 'string' },
  [ScalarType.BYTES]: { type: 'string', contentEncoding: 'base64' },
};

/**
 * JSON Schemas of protobuf messages by https://protobuf.dev/programming-guides/json. A message from
 * a client may omit members and has no unknown ones; a message to a client has all members whose
 * default value is a value.
 */
export class MessageSchemas {
  readonly #sent = new Map<string, DescMessage>();
  readonly #got = new Map<string, DescMessage>();

  /** The schema of a message that clients send. */
  sent(message: DescMessage): Schema {
    collect(message, this.#sent);
    return reference(message);
  }

  /** The schema of a message that clients receive. */
  got(message: DescMessage): Schema {
    collect(message, this.#got);
    return reference(message);
  }

  /** Each requested message and those that it contains, by name. */
  all(): Readonly<Record<string, Schema>> {
    const messages = new Map([...this.#got, ...this.#sent]);
    const entries = [...messages].map(([name, message]): [string, Schema] => [
      name,
      schemaOf(message, this.#sent.has(name)),
    ]);
    return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }
}

/** Schema of a member in a query or path. */
export function fieldSchema(field: DescField): Schema {
  return { ...typeSchema(field), ...described(`${field.parent.typeName}.${field.name}`) };
}

function typeSchema(field: DescField): Schema {
  switch (field.fieldKind) {
    case 'scalar':
      return SCALARS[field.scalar];
    case 'enum':
      return enumSchema(field.enum);
    case 'message':
      return reference(field.message);
    case 'list':
      return { type: 'array', items: itemSchema(field) };
    case 'map':
      return { type: 'object', additionalProperties: itemSchema(field) };
  }
}

function itemSchema(field: DescField & { readonly fieldKind: 'list' | 'map' }): Schema {
  if (field.message !== undefined) return reference(field.message);
  if (field.enum !== undefined) return enumSchema(field.enum);
  return SCALARS[field.scalar ?? ScalarType.STRING];
}

/** A value with a comment is listed with its comment. */
function enumSchema({ typeName, values }: DescEnum): Schema {
  const said = values.flatMap(({ name }) => {
    const comment = COMMENTS[`${typeName}.${name}`];
    return comment === undefined ? [] : [`- ${name}: ${comment}`];
  });
  const description = [COMMENTS[typeName] ?? '', ...said].filter((line) => line !== '').join('\n');
  const names = { type: 'string', enum: values.map(({ name }) => name) };
  return description === '' ? names : { ...names, description };
}

function schemaOf(message: DescMessage, isSent: boolean): Schema {
  const properties = Object.fromEntries(message.fields.map((field) => [field.jsonName, fieldSchema(field)]));
  const always = message.fields.filter(isAlwaysThere).map(({ jsonName }) => jsonName);
  return {
    type: 'object',
    ...described(message.typeName),
    properties,
    ...(isSent ? { additionalProperties: false } : {}),
    ...(isSent || always.length === 0 ? {} : { required: always }),
  };
}

function isAlwaysThere(field: DescField): boolean {
  if (field.fieldKind === 'list' || field.fieldKind === 'map') return true;
  return field.presence === FeatureSet_FieldPresence.IMPLICIT;
}

function collect(message: DescMessage, into: Map<string, DescMessage>): void {
  const name = nameOf(message);
  if (into.has(name)) return;
  into.set(name, message);
  for (const field of message.fields) {
    if (field.message !== undefined) collect(field.message, into);
  }
}

function reference(message: DescMessage): Schema {
  return { $ref: `#/components/schemas/${nameOf(message)}` };
}

/** The comment in the `.proto` file. */
function described(name: string): Schema {
  const description = COMMENTS[name];
  return description === undefined ? {} : { description };
}

/**
 * Without our package names: `bulkhead.chat.v1.Message` becomes `chat.Message`; a client message
 * keeps only its own name.
 */
function nameOf({ typeName }: DescMessage): string {
  return typeName.replace(/^bulkhead\.client\.v1\./, '').replace(/^bulkhead\.([a-z]+)\.v1\./, '$1.');
}
