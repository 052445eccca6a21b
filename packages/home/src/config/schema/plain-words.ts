import type * as z from 'zod';

/**
 * Describes an invalid value for users who never read a schema. The value itself is not repeated:
 * it may be a secret in the wrong place.
 *
 * @returns undefined if the schema's own message is as good
 */
export function plainWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return needs(WANTED[issue.expected] ?? `a value of type ${issue.expected}`, issue.input);
    case 'invalid_value':
      return needs(`one of ${issue.values.map(String).join(', ')}`, issue.input);
    case 'too_small':
      return tooSmall(issue.origin, issue.minimum, issue.inclusive !== false);
    case 'too_big':
      return tooBig(issue.origin, issue.maximum, issue.inclusive !== false);
    default:
      return undefined;
  }
}

const WANTED: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of keys',
};

function needs(what: string, input: unknown): string {
  if (input === undefined) return `is missing, it needs ${what}`;
  const kind = kindOf(input);
  return kind === what || what.startsWith('one of') || what === 'a whole number'
    ? `needs ${what}`
    : `needs ${what}, not ${kind}`;
}

function kindOf(input: unknown): string {
  if (input === null) return 'nothing';
  if (Array.isArray(input)) return 'a list';
  return WANTED[typeof input] ?? 'this';
}

function tooSmall(origin: string, minimum: number | bigint, inclusive: boolean): string {
  if (origin === 'string')
    return minimum === 1 ? 'must not be empty' : `needs at least ${minimum} characters`;
  if (origin === 'array') return `needs at least ${minimum} entries`;
  return inclusive ? `needs a number that is at least ${minimum}` : `needs a number above ${minimum}`;
}

function tooBig(origin: string, maximum: number | bigint, inclusive: boolean): string {
  if (origin === 'string') return `has more than the ${maximum} characters allowed`;
  if (origin === 'array') return `has more than the ${maximum} entries allowed`;
  return inclusive ? `needs a number that is at most ${maximum}` : `needs a number below ${maximum}`;
}
