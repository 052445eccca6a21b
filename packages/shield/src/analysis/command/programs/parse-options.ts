import { EMPTY, type Text } from '../shell/text.ts';
import type { OptionUse, Program } from './program.ts';

export interface OptionValue {
  readonly name: string;
  readonly use: OptionUse;
  readonly value: Text;
}

export interface ParsedArguments {
  readonly operands: readonly Text[];
  readonly values: readonly OptionValue[];
  /** Options without a value: known ones, and all others as written. */
  readonly flags: ReadonlySet<string>;
}

interface Parsing {
  readonly operands: Text[];
  readonly values: OptionValue[];
  readonly flags: Set<string>;
}

/**
 * Separates options from operands, as getopt does, and single-dash words (`-exec`) where the table
 * lists them.
 *
 * @param stop `operand`: options end where the first operand begins, as for programs that run
 * another
 */
export function parseArguments(
  args: readonly Text[],
  { options }: Program,
  stop: 'operand' | 'never' = 'never',
): ParsedArguments {
  const parsing: Parsing = { operands: [], values: [], flags: new Set() };
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? EMPTY;
    if (word.text === '--') {
      parsing.operands.push(...args.slice(at + 1));
      break;
    }
    if (!/^[-+]./.test(word.text) || (word.text.startsWith('+') && !options.has(word.text))) {
      if (stop === 'operand') {
        parsing.operands.push(...args.slice(at));
        break;
      }
      parsing.operands.push(word);
    } else if (option(word, args[at + 1], options, parsing)) at += 1;
  }
  return parsing;
}

/** @returns true if the option also took the next word */
function option(
  word: Text,
  next: Text | undefined,
  options: ReadonlyMap<string, OptionUse>,
  parsing: Parsing,
): boolean {
  const { text, labels } = word;
  const whole = useOf(text, options);
  if (whole !== undefined) return take(text, whole, next, parsing);
  const equals = text.indexOf('=');
  if (equals > 0) {
    const name = text.slice(0, equals);
    const use = useOf(name, options);
    if (use !== undefined) {
      parsing.values.push({ name, use, value: { text: text.slice(equals + 1), labels } });
      return false;
    }
  }
  if (text.startsWith('--')) {
    parsing.flags.add(text);
    return false;
  }
  return bundle(word, next, options, parsing);
}

/** Long options may be abbreviated. */
function useOf(name: string, options: ReadonlyMap<string, OptionUse>): OptionUse | undefined {
  const exact = options.get(name);
  if (exact !== undefined || !name.startsWith('--') || name.length < 5) return exact;
  for (const [known, use] of options) if (known.startsWith(name)) return use;
  return undefined;
}

/** `-xzf FILE`, `-oFILE`. */
function bundle(
  { text, labels }: Text,
  next: Text | undefined,
  options: ReadonlyMap<string, OptionUse>,
  parsing: Parsing,
): boolean {
  const dash = text.slice(0, 1);
  for (let at = 1; at < text.length; at += 1) {
    const name = `${dash}${text[at]}`;
    const use = options.get(name);
    if (use === undefined || use === 'flag') {
      parsing.flags.add(name);
      continue;
    }
    const rest = text.slice(at + 1);
    if (rest === '') return take(name, use, next, parsing);
    parsing.values.push({ name, use, value: { text: rest, labels } });
    return false;
  }
  parsing.flags.add(text);
  return false;
}

function take(name: string, use: OptionUse, next: Text | undefined, parsing: Parsing): boolean {
  if (use === 'flag') {
    parsing.flags.add(name);
    return false;
  }
  parsing.values.push({ name, use, value: next ?? EMPTY });
  return next !== undefined;
}
