import { BulkheadError, SECRECY_LEVELS } from '@bulkhead/protocol';
import * as z from 'zod';
import { TRUST_LEVELS } from '../annotations/flow-policy.ts';
import { parseArgvPattern } from '../patterns/argv-pattern.ts';
import { parseGlob } from '../patterns/glob.ts';
import { parseHostPattern } from '../patterns/host-pattern.ts';
import { VERIFY_JUDGES } from './policy.ts';
import { SESSION_MODES } from './policy-case.ts';
import { parseTimeWindow, WEEKDAYS } from './time-window.ts';

/** A value, or a list of them. */
const list = <T extends z.ZodType>(item: T, what = 'text or a list of texts') =>
  z.union([z.array(item), item.transform((one) => [one])], { error: `expected ${what}` });

const name = z
  .string({ error: 'expected text' })
  .min(1, 'is empty')
  .max(200, 'is longer than 200 characters');

/** A value validated by `parse`, whose message becomes the error. */
function parsed<Source extends z.ZodType, Value>(source: Source, parse: (source: z.output<Source>) => Value) {
  return source.transform((value, context) => {
    try {
      return parse(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: BulkheadError.from(error).message });
      return z.NEVER;
    }
  });
}

const text = z.string({ error: 'expected text' });
const glob = (kind: 'path' | 'command', variables: readonly string[] = []) =>
  parsed(text, (source) => parseGlob(source, kind, variables));
const recipient = parsed(text, (source) => parseGlob(source.toLowerCase(), 'command', []));

/** One of the given words, or a list of them. */
const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) => {
  const known = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  return list(z.enum(words, { error: `expected ${known}` }), known);
};

/** An object with only the keys of `shape`. */
function only<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'invalid_type') return `expected keys ${Object.keys(shape).join(', ')}`;
      if (issue.code !== 'unrecognized_keys') return undefined;
      const [key = ''] = issue.keys;
      return `key ${JSON.stringify(key.slice(0, 100))} is unknown; known keys: ${Object.keys(shape).join(', ')}`;
    },
  });
}

/**
 * An object with these required last keys, in this order. With it, a truncated file is an error or
 * allows less than the whole one: keys that allow more come before required ones [FT24].
 */
function endingIn<T extends z.ZodObject>(keys: readonly string[], object: T) {
  return z.preprocess((value, context) => {
    const all = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    const given = all.filter((key) => Object.hasOwn(object.shape, key));
    const wrong = keys.find((key, at) => given.at(at - keys.length) !== key);
    if (wrong !== undefined && keys.every((key) => given.includes(key))) {
      const order =
        keys.length === 1 ? `must stand last` : `must stand last, in the order ${keys.join(', ')}`;
      context.addIssue({
        code: 'custom',
        path: [wrong],
        message: `${order}, so that a file cut short is seen`,
      });
    }
    return value;
  }, object);
}

const isNotEmpty = (conditions: object): boolean => Object.keys(conditions).length > 0;

const time = parsed(
  only({ days: oneOf(WEEKDAYS).optional(), from: text.optional(), to: text.optional(), zone: text }),
  parseTimeWindow,
);

const taint = only({
  secrecy: oneOf(SECRECY_LEVELS).optional(),
  trust: oneOf(TRUST_LEVELS).optional(),
}).refine(isNotEmpty, 'is empty: give secrecy, trust or both');

const match = only({
  tool: list(name).optional().describe('Exact names of tools.'),
  group: list(name).optional().describe('Exact names of tool groups.'),
  folder: list(glob('path')).optional().describe("Patterns for the session's working folder."),
  path: list(glob('path', ['workingFolder']))
    .optional()
    .describe('Patterns for absolute paths; {workingFolder} stands for the working folder.'),
  access: oneOf(['read', 'write']).optional().describe('What is done to those paths.'),
  command: list(glob('command')).optional().describe('Patterns for the text of a command.'),
  argv: list(parsed(text, parseArgvPattern))
    .optional()
    .describe('Patterns for each simple command, word by word: git push **'),
  host: list(parsed(text, parseHostPattern))
    .optional()
    .describe('Hosts: example.org, *.example.org, or * for any.'),
  recipient: list(recipient).optional().describe('Patterns for who receives: *@example.org'),
  channel: list(name)
    .optional()
    .describe('Exact names of the channels a request comes by; client stands for all but chat channels.'),
  sender: list(name).optional().describe('Exact ids of senders on a channel: owner, or another.'),
  profile: list(name).optional().describe('Exact names of profiles.'),
  sessionMode: oneOf(SESSION_MODES).optional().describe('How the session stands.'),
  time: list(time, 'keys days, from, to, zone').optional().describe('When, in a named time zone.'),
  taint: taint.optional().describe('What the action may carry: how secret, and written by whom.'),
}).refine(isNotEmpty, 'is empty, so it would match everything');

const head = { name, match };
const tail = { reason: name.describe('The reason, for the reader of the verdict. Stands last.') };
const by = z.enum(VERIFY_JUDGES, { error: 'expected human, evaluator or analysis' });
const minTier = z
  .union([z.literal(0), z.literal(1), z.literal(2)], { error: 'expected 0, 1 or 2' })
  .default(0)
  .describe('The first tier whose allow is final: 0 this rule, 1 the analysis, 2 the evaluator.');
const rules = <T extends z.ZodRawShape>(shape: T) =>
  z
    .array(endingIn(['reason'], only(shape)), { error: 'expected a list of rules; write [] for none' })
    .max(1000, 'has more than 1,000 rules');

const lists = only({
  deny: rules({ ...head, ...tail }).describe('Blocked.'),
  verify: rules({ ...head, by, ...tail }).describe('Sent on to a person or to a later tier.'),
  allow: rules({ ...head, minTier, ...tail }).describe('Allowed, or left to a later tier by minTier.'),
});

/**
 * The strict shape of a policy file. All three lists are required, so that a truncated file is
 * detected.
 */
export const policySchema = endingIn(
  ['rules'],
  only({
    version: z.literal(1, { error: 'expected 1, the only version known' }),
    name,
    rules: endingIn(['deny', 'verify', 'allow'], lists),
  }),
);
