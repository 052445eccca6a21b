import type * as z from 'zod';
import { configJsonSchema } from './json-schema.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A possible key of `config.yaml`. */
export interface ConfigKey {
  /** Dotted, as in `models.chat.provider`; `*` stands for a place in a list. */
  readonly key: string;
  /** `object` if it has keys below it. */
  readonly type: string;
  readonly description: string;
  /** Undefined if there is none. */
  readonly default: unknown;
  /** The allowed words, if it is an enumeration. */
  readonly choices: readonly string[];
  /** Of a number, where the schema bounds it. */
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

/** Every key, groups before their members, in the order of the schema. */
export function listConfigKeys(): readonly ConfigKey[] {
  return below(configJsonSchema(), '');
}

/** @returns undefined for an unknown key. @param key places in lists are numbers here */
export function findConfigKey(key: string): ConfigKey | undefined {
  const general = key.replaceAll(/(?<=\.)\d+(?=\.|$)/g, '*');
  return listConfigKeys().find((known) => known.key === general);
}

/** As the parts of a path in the document. */
export function keyPath(key: string): readonly (string | number)[] {
  return key.split('.').map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : part));
}

function below(schema: JsonSchema, prefix: string): readonly ConfigKey[] {
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    typeof member === 'boolean' ? [] : withMembers(member, `${prefix}${name}`),
  );
  const { items } = schema;
  if (items === undefined || typeof items === 'boolean' || Array.isArray(items)) return members;
  return [...members, ...withMembers(items, `${prefix}*`)];
}

function withMembers(schema: JsonSchema, key: string): readonly ConfigKey[] {
  const own = {
    key,
    type: typeof schema.type === 'string' ? schema.type : 'string',
    description: schema.description ?? '',
    default: schema.default,
    choices: (schema.enum ?? []).filter((choice) => typeof choice === 'string'),
    minimum: schema.minimum,
    maximum: schema.maximum,
  };
  return [own, ...below(schema, `${key}.`)];
}
