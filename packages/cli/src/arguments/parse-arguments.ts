import { parseArgs } from 'node:util';
import { BulkheadError } from '@bulkhead/protocol';
import { nearest } from './nearest.ts';
import { COMMON_OPTIONS, type OptionSpec, type OptionTable } from './option-table.ts';

/** The arguments of a command, checked against its table. */
export interface ParsedArguments {
  readonly words: readonly string[];
  /** True if the switch was given. */
  flag(name: string): boolean;
  /** The option's value; the last one if given twice. */
  value(name: string): string | undefined;
  /** Every value of an option that may be given more than once, in order. */
  all(name: string): readonly string[];
}

/**
 * @param command for messages: the words typed before the options
 * @throws BulkheadError `usage`: unknown option, a missing or unexpected value
 */
export function parseArguments(
  command: string,
  table: OptionTable,
  argv: readonly string[],
): ParsedArguments {
  const all = { ...table, ...COMMON_OPTIONS };
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(Object.entries(all).map(([name, spec]) => [name, toNode(spec)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given: { readonly name: string; readonly value: string }[] = [];
  const words = new Map<number, string>();
  for (const token of tokens) {
    const word = argv[token.index] ?? '';
    if (token.kind === 'positional' || isNegative(token, word)) words.set(token.index, word);
    if (token.kind !== 'option' || words.has(token.index)) continue;
    given.push({ name: token.name, value: checkedValue(command, all, token, word) });
  }
  const values = new Map(given.map(({ name, value }) => [name, value]));
  return {
    words: [...words.values()],
    flag: (name) => values.has(name),
    value: (name) => values.get(name),
    all: (name) => given.filter((option) => option.name === name).map(({ value }) => value),
  };
}

/** No option is a digit: `-1` is a number. */
function isNegative({ kind }: { readonly kind: string }, word: string): boolean {
  return kind === 'option' && /^-\.?\d/.test(word);
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checkedValue(command: string, table: OptionTable, token: OptionToken, word: string): string {
  const spec = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
  if (spec === undefined) throw unknownOption(command, table, token.rawName, word);
  if (spec.value === undefined) {
    if (token.value === undefined) return '';
    throw usage(command, `${token.rawName} takes no value, but got "${token.value}"`);
  }
  const missing = token.value === undefined || (token.value.startsWith('--') && token.inlineValue !== true);
  if (missing) throw usage(command, `${token.rawName} needs a value: ${token.rawName} ${spec.value}`);
  return token.value ?? '';
}

function toNode(spec: OptionSpec): { type: 'string' | 'boolean'; short?: string } {
  const type = spec.value === undefined ? 'boolean' : 'string';
  return spec.short === undefined ? { type } : { type, short: spec.short };
}

/** @param word as typed: it may hold several short options */
function unknownOption(command: string, table: OptionTable, rawName: string, word: string): BulkheadError {
  const near = nearest(
    rawName,
    Object.keys(table).map((name) => `--${name}`),
  );
  const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
  const place = word.startsWith(rawName) ? '' : ` in ${word}`;
  return usage(command, `unknown option ${rawName}${place}${hint}`);
}

function usage(command: string, message: string): BulkheadError {
  return new BulkheadError('usage', message, { fix: `See \`${command} --help\`.` });
}

/** @param what as typed */
export function notBuilt(what: string): BulkheadError {
  return new BulkheadError('usage', `\`${what}\` is not built yet`, {
    fix: '`bulkhead help` lists the commands.',
  });
}
