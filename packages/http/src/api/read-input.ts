import type { MessageShape } from '@bufbuild/protobuf';
import {
  type DescField,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  ScalarType,
} from '@bufbuild/protobuf';
import { refusal } from '../answer.ts';

/**
 * Builds a call's message from the parts of a request. Unknown members are refused, for they would
 * be ignored silently.
 *
 * @param named members from the path; no other part may name them again
 * @throws BulkheadError `usage` (400)
 */
export function readInput<Desc extends DescMessage>(
  schema: Desc,
  named: Readonly<Record<string, string>>,
  rest: JsonObject,
): MessageShape<Desc> {
  const fields = new Map(
    schema.fields.flatMap((field) => [[field.jsonName, field] as const, [field.name, field] as const]),
  );
  const taken = new Set(Object.keys(named).map((name) => fields.get(name)));
  for (const name of Object.keys(rest)) {
    const field = fields.get(name);
    if (field === undefined) throw refusal(400, 'usage', `there is no member ${quoted(name)} here`);
    if (taken.has(field)) throw refusal(400, 'usage', `${quoted(name)} is named twice`);
    taken.add(field);
  }
  try {
    return fromJson(schema, { ...rest, ...named });
  } catch (error) {
    throw refusal(400, 'usage', error instanceof Error ? error.message : 'the message cannot be read');
  }
}

/**
 * Returns the members that a query names, each by its field's type. @throws BulkheadError `usage`
 * (400)
 */
export function queryMembers(schema: DescMessage, query: URLSearchParams): JsonObject {
  const members: Record<string, JsonValue> = {};
  for (const name of new Set(query.keys())) {
    const field = schema.fields.find((one) => one.jsonName === name || one.name === name);
    if (field === undefined) throw refusal(400, 'usage', `there is no member ${quoted(name)} here`);
    members[name] = queryValue(field, query.getAll(name));
  }
  return members;
}

function queryValue(field: DescField, values: readonly string[]): JsonValue {
  if (field.fieldKind === 'list') return [...values];
  const [value = '', ...more] = values;
  if (more.length > 0) throw refusal(400, 'usage', `${quoted(field.jsonName)} is named twice`);
  if (field.scalar !== ScalarType.BOOL) return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw refusal(400, 'usage', `${quoted(field.jsonName)} is true or false`);
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 60));
}
