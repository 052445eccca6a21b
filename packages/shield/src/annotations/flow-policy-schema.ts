import {
  ARGUMENT_ROLES,
  BulkheadError,
  DECISIONS,
  EFFECT_KINDS,
  FIELD_USES,
  SECRECY_LEVELS,
  SINKS,
  WRITERS,
} from '@bulkhead/protocol';
import * as z from 'zod';
import { parseGlob } from '../patterns/glob.ts';
import { parseHostPattern } from '../patterns/host-pattern.ts';
import { TRUST_LEVELS } from './flow-policy.ts';

const name = z
  .string({ error: 'expected text' })
  .min(1, 'is empty')
  .max(200, 'is longer than 200 characters');

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `expected one of ${values.join(', ')}` });

const list = <T extends z.ZodType>(item: T) =>
  z.array(item, { error: 'expected a list' }).max(2000, 'has more than 2,000 members');

/** Text for `parse`; this schema only validates it, and the parser reads it again. */
const checked = (parse: (source: string) => unknown) =>
  name.superRefine((source, context) => {
    try {
      parse(source);
    } catch (error) {
      context.addIssue({ code: 'custom', message: BulkheadError.from(error).message });
    }
  });

const field = z.strictObject({ writer: oneOf(WRITERS), as: oneOf(FIELD_USES).exactOptional() });

const tool = z.strictObject({
  tool: name,
  effect: oneOf(EFFECT_KINDS),
  sink: oneOf(SINKS).default('mcp'),
  words: list(name).exactOptional(),
  store: name.exactOptional(),
  arguments: z.record(name, oneOf(ARGUMENT_ROLES)).default({}),
  result: z.strictObject({
    writer: oneOf(WRITERS),
    secrecy: oneOf(SECRECY_LEVELS).exactOptional(),
    fields: z.record(name, field).exactOptional(),
    items: field.exactOptional(),
    keys: field.exactOptional(),
  }),
});

const patterns = (parse: (source: string) => unknown) => list(checked(parse)).min(1, 'is empty').optional();

const source = z.strictObject({
  name,
  match: z
    .strictObject({
      tool: list(name).min(1, 'is empty').optional(),
      path: patterns((text) => parseGlob(text, 'path', [])),
      host: patterns(parseHostPattern),
      sender: patterns((text) => parseGlob(text, 'command', [])),
    })
    .refine((conditions) => Object.keys(conditions).length > 0, 'is empty, so it would match everything'),
  secrecy: oneOf(SECRECY_LEVELS).optional(),
  trust: oneOf(TRUST_LEVELS).optional(),
});

const rule = z.strictObject({
  name,
  secrecy: oneOf(SECRECY_LEVELS),
  sinks: list(oneOf(SINKS)).min(1, 'is empty'),
  when: oneOf(['value', 'session']),
  decision: oneOf(DECISIONS),
});

/** The strict shape of an `ifc.yaml`. `tools` is required, so that a truncated file is detected. */
export const flowPolicySchema = z.strictObject({
  version: z.literal(1, { error: 'expected 1, the only version known' }),
  mode: oneOf(['enforce', 'audit']).default('enforce'),
  tools: list(tool),
  scopes: list(z.strictObject({ scope: name, tools: list(tool) })).default([]),
  sources: list(source).default([]),
  rules: list(rule).default([]),
});

/** The same shape for editors, as JSON Schema (2020-12). */
export function flowPolicyJsonSchema(): Readonly<Record<string, unknown>> {
  return { ...z.toJSONSchema(flowPolicySchema, { io: 'input' }) };
}
