import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';
import { parseGlob } from './glob.ts';
import { parseHostPattern } from './host-pattern.ts';

/** Conditions that the design knows and this version does not: refused, never passed over. */
const LATER = ['argv', 'recipient', 'channel', 'sessionMode', 'time', 'taint'];

/** A string, or a list of them. */
const list = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item), item.transform((one) => [one])], { error: 'expected text or a list of texts' });

const name = z
  .string({ error: 'expected text' })
  .min(1, 'is empty')
  .max(200, 'is longer than 200 characters');

/** Text that `parse` reads, or says what is wrong with it. */
const parsedText = <Value>(parse: (source: string) => Value) =>
  z.string({ error: 'expected text' }).transform((source, context) => {
    try {
      return parse(source);
    } catch (error) {
      context.addIssue({ code: 'custom', message: BulkheadError.from(error).message });
      return z.NEVER;
    }
  });

const glob = (kind: 'path' | 'command', variables: readonly string[]) =>
  parsedText((source) => parseGlob(source, kind, variables));

const host = parsedText(parseHostPattern);

/** An object that takes the keys of `shape` and no other. */
function only<T extends z.ZodRawShape>(shape: T, later: readonly string[] = []) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'invalid_type') return `expected keys ${Object.keys(shape).join(', ')}`;
      if (issue.code !== 'unrecognized_keys') return undefined;
      const [key = ''] = issue.keys;
      const why = later.includes(key) ? 'comes in a later version' : 'is unknown';
      return `key ${JSON.stringify(key.slice(0, 100))} ${why}; known keys: ${Object.keys(shape).join(', ')}`;
    },
  });
}

const match = only(
  {
    tool: list(name).optional(),
    group: list(name).optional(),
    path: list(glob('path', ['workingFolder'])).optional(),
    access: list(z.enum(['read', 'write'], { error: 'expected read or write' })).optional(),
    command: list(glob('command', [])).optional(),
    host: list(host).optional(),
  },
  LATER,
).refine((conditions) => Object.keys(conditions).length > 0, 'is empty, so it would match everything');

const rule = { name, match, reason: name };
const by = z.literal('human', { error: 'expected human; other judges come in a later version' });
const rules = <T extends z.ZodType>(item: T) =>
  z
    .array(item, { error: 'expected a list of rules; write [] for none' })
    .max(1000, 'has more than 1,000 rules');

/** The strict shape of a policy file. All three lists must be there, so that a file cut short is seen. */
export const policySchema = only({
  version: z.literal(1, { error: 'expected 1, the only version known' }),
  name,
  rules: only({
    deny: rules(only(rule)),
    verify: rules(only({ ...rule, by })),
    allow: rules(only(rule)),
  }),
});
