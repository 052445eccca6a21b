import { parse, type Word, type WordPart } from 'unbash';
import { LABEL, type Labels } from '../../effects/labels.ts';
import { HOLE, ONE, STAR } from '../../effects/pattern-text.ts';
import { EMPTY, joinTexts, literal, type Text, transformed, unknownText } from '../shell/text.ts';
import { evaluateArithmetic } from './arithmetic.ts';
import { expandBraces } from './expand-braces.ts';
import { expandParameter } from './expand-parameter.ts';
import { nestedScripts } from './nested-scripts.ts';
import type { WordContext } from './word-context.ts';

/** A piece of a word; `split` if it was unquoted, so that blanks separate words. */
interface Piece extends Text {
  readonly split: boolean;
}

/**
 * Expands a word as the shell does: braces, tilde, parameters, substitutions, arithmetic,
 * splitting, quotes. Globs stay as markers.
 *
 * @returns the fields; none for an expansion that is empty
 * @throws OverBudget
 */
export function expandFields(word: Word, context: WordContext): readonly Text[] {
  const said = saysItself(word);
  if (said !== undefined) {
    context.budget.expand(said.length);
    return [literal(said)];
  }
  if (word.parts?.some(({ type }) => type === 'BraceExpansion')) {
    const raws = expandBraces(word.text, context.budget);
    return raws.flatMap((raw) => {
      if (PLAIN.test(raw)) return [literal(raw)];
      const again = raws.length === 1 && raw === word.text ? word : reparse(raw);
      return again === undefined ? [unknownText()] : fieldsOf(again, context);
    });
  }
  return fieldsOf(word, context);
}

/** Expands to a single word: in an assignment, a redirection, a pattern. */
export function expandText(word: Word, context: WordContext): Text {
  const said = saysItself(word);
  return said !== undefined ? literal(said) : joinTexts(piecesOf(word, context));
}

/** Expands the parts of a here-document. */
export function expandParts(parts: readonly WordPart[], context: WordContext): Text {
  return joinTexts(parts.flatMap((part) => piecesOfPart(part, context)));
}

const PLAIN = /^[\w./:@%+,-]+$/;

/**
 * Returns the text of a word with no expansions. Handles the usual words without parsing their
 * parts.
 */
function saysItself(word: Word): string | undefined {
  const { text } = word;
  if (PLAIN.test(text)) return text;
  const last = text.length - 1;
  if (last > 0 && text.startsWith("'") && text.indexOf("'", 1) === last) return text.slice(1, -1);
  return word.parts === undefined && !text.startsWith('~') ? word.value : undefined;
}

function reparse(raw: string): Word | undefined {
  const [statement] = parse(`: ${raw}`).commands;
  const command = statement?.command;
  const word = command?.type === 'Command' ? command.suffix[0] : undefined;
  return word?.type === 'Word' ? word : undefined;
}

function fieldsOf(word: Word, context: WordContext): readonly Text[] {
  const several = severalElements(word, context);
  if (several !== undefined) return several;
  const blanks = separators(context);
  const fields: Text[][] = [];
  let open = false;
  for (const piece of piecesOf(word, context)) {
    context.budget.expand(piece.text.length);
    open = addPiece(fields, piece, blanks, open);
  }
  return fields.map((each) => joinTexts(each));
}

/** @returns whether the next piece belongs to the last field */
function addPiece(fields: Text[][], { text, labels, split }: Piece, blanks: RegExp, open: boolean): boolean {
  let joined = open;
  for (const [index, part] of (split ? text.split(blanks) : [text]).entries()) {
    if (index > 0) joined = false;
    if (part === '' && split) continue;
    if (!joined) fields.push([]);
    joined = true;
    fields.at(-1)?.push({ text: part, labels });
  }
  return joined;
}

const BLANKS = /\s/u;

function separators(context: WordContext): RegExp {
  const ifs = context.variable('IFS')?.text ?? ' \t\n';
  if (ifs === ' \t\n') return BLANKS;
  const own = ifs.replaceAll(/[\s\uE000-\uE002]/g, '').slice(0, 8);
  const escaped = own.replaceAll(/[\\\]^-]/g, '\\$&');
  return new RegExp(`[\\s${escaped}]`, 'u');
}

const ALL = /^"?\$\{?(@|\*|[A-Za-z_]\w*\[[@*]\])\}?"?$/;

/** `"$@"` and `"${array[@]}"`: one field for each element. */
function severalElements(word: Word, context: WordContext): readonly Text[] | undefined {
  const name = word.text.includes('$') ? ALL.exec(word.text)?.[1] : undefined;
  return name === undefined ? undefined : context.elements(name.replace(/\[.*$/, ''));
}

function piecesOf(word: Word, context: WordContext): readonly Piece[] {
  if (word.parts === undefined) return [{ ...tilde(word.text, word.value, context), split: false }];
  const pieces = word.parts.flatMap((part) => piecesOfPart(part, context));
  const [head] = word.parts;
  const [first, ...rest] = pieces;
  // A partly quoted or expanded prefix is not a tilde prefix.
  const plain =
    head?.type === 'Literal' && head.text.startsWith('~') && (head.text.includes('/') || pieces.length === 1);
  if (first === undefined || !plain) return pieces;
  return [{ ...first, text: tilde(word.text, first.text, context).text }, ...rest];
}

/** `~` and `~/…` are the home; `~+` the working folder; `~name` the home of another. */
function tilde(raw: string, value: string, context: WordContext): Text {
  if (!raw.startsWith('~')) return literal(value);
  const slash = value.indexOf('/');
  const name = value.slice(1, slash < 0 ? undefined : slash);
  const rest = slash < 0 ? '' : value.slice(slash);
  if (name === '') return literal(context.home + rest);
  if (name === 'root') return literal(`/root${rest}`);
  if (/^[a-z_][\w-]*$/i.test(name)) return literal(`/home/${name}${rest}`);
  return literal(HOLE + rest);
}

function piecesOfPart(part: WordPart, context: WordContext): readonly Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [piece(literal(part.value), false)];
    case 'DoubleQuoted':
    case 'LocaleString':
      return [piece(joinOrEmpty(part.parts.flatMap((inner) => piecesOfPart(inner, context))), false)];
    case 'Glob':
      return [piece(literal(globMarker(part)), false)];
    case 'ExtendedGlob':
      return [piece(literal(STAR), false)];
    case 'BraceExpansion':
      return [piece(literal(part.text), false)];
    default:
      return [piece(expansion(part, context), true)];
  }
}

type Expansion = Exclude<
  WordPart,
  {
    type:
      | 'Literal'
      | 'SingleQuoted'
      | 'AnsiCQuoted'
      | 'DoubleQuoted'
      | 'LocaleString'
      | 'Glob'
      | 'ExtendedGlob'
      | 'BraceExpansion';
  }
>;

function expansion(part: Expansion, context: WordContext): Text {
  switch (part.type) {
    case 'SimpleExpansion':
      return context.variable(part.text.slice(1)) ?? unknownText();
    case 'ParameterExpansion':
      return expandParameter(part, context, (word) => expandText(word, context));
    case 'CommandExpansion':
      return part.script === undefined ? unknownText() : context.substitute(part.script);
    case 'ProcessSubstitution':
      return part.script === undefined ? unknownText() : context.process(part.script, part.operator);
    case 'ArithmeticExpansion': {
      let labels: Labels = LABEL.none;
      for (const script of nestedScripts(part)) labels |= context.substitute(script).labels;
      const numberOf = (name: string) => toNumber(context.variable(name));
      const value = part.expression === undefined ? undefined : evaluateArithmetic(part.expression, numberOf);
      return value === undefined ? transformed({ text: HOLE, labels }) : { text: `${value}`, labels };
    }
  }
}

function toNumber(text: Text | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,15}$/.test(text.text) ? Number(text.text) : undefined;
}

/** `[s]` is a letter, `[0-9]` a digit, other classes any one character. */
function globMarker({ kind, text }: { readonly kind: string; readonly text: string }): string {
  if (kind === 'star') return STAR;
  if (kind === 'question') return ONE;
  const one = /^\[(.)\]$/u.exec(text)?.[1];
  return one ?? (/^\[[\d-]+\]$/.test(text) ? '0' : ONE);
}

function piece(text: Text, split: boolean): Piece {
  return { text: text.text, labels: text.labels, split };
}

function joinOrEmpty(pieces: readonly Piece[]): Text {
  return pieces.length === 0 ? EMPTY : joinTexts(pieces);
}
