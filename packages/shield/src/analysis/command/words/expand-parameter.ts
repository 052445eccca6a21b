import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash';
import { HOLE, isKnown } from '../../effects/pattern-text.ts';
import { EMPTY, literal, mapKnown, type Text, transformed, unknownText } from '../shell/text.ts';
import { removePattern, replacePattern } from './match-pattern.ts';
import type { WordContext } from './word-context.ts';

/** Expands the words inside an expansion. */
export type ExpandOperand = (word: Word) => Text;

/**
 * Expands `${…}` in all its forms. A value that can't be computed is unknown, never empty.
 *
 * @param operand expands words inside, with patterns in place of globs
 */
export function expandParameter(
  part: ParameterExpansionPart,
  context: WordContext,
  operand: ExpandOperand,
): Text {
  const value = baseValue(part, context, operand);
  if (part.prefix === '#')
    return value === undefined ? unknownText() : mapKnown(value, (text) => `${text.length}`);
  if (part.operation === undefined) return value ?? unknownText();
  return operate(part, part.operation, value, context, operand);
}

function baseValue(
  part: ParameterExpansionPart,
  context: WordContext,
  operand: ExpandOperand,
): Text | undefined {
  const { parameter, index, prefix } = part;
  const direct = index === undefined ? context.variable(parameter) : element(part, index, context, operand);
  if (prefix !== '!') return direct;
  if (part.operation?.type === 'Names') return undefined;
  return direct !== undefined && isKnown(direct.text) ? context.variable(direct.text) : undefined;
}

function element(
  { parameter }: ParameterExpansionPart,
  index: Word,
  context: WordContext,
  operand: ExpandOperand,
): Text | undefined {
  const elements = context.elements(parameter);
  if (elements === undefined) return context.variable(parameter);
  const at = operand(index).text;
  if (at === '@' || at === '*' || !isKnown(at)) {
    let labels = 0;
    for (const each of elements) labels |= each.labels;
    return { text: elements.map(({ text }) => text).join(' '), labels };
  }
  return elements.at(Number(at)) ?? EMPTY;
}

function operate(
  part: ParameterExpansionPart,
  operation: ParameterOperation,
  value: Text | undefined,
  context: WordContext,
  operand: ExpandOperand,
): Text {
  switch (operation.type) {
    case 'Default':
      return defaulted(part.parameter, operation.operator, value, operand(operation.operand), context);
    case 'Remove': {
      const pattern = operand(operation.operand).text;
      return mapKnown(value ?? unknownText(), (text) => removePattern(text, pattern, operation.operator));
    }
    case 'Replace': {
      const pattern = operand(operation.pattern).text;
      const replacement = operand(operation.replacement).text;
      return mapKnown(value ?? unknownText(), (text) =>
        replacePattern(text, pattern, replacement, operation.operator),
      );
    }
    case 'Slice':
      return slice(value, operand(operation.offset).text, operation.length && operand(operation.length).text);
    case 'CaseModification':
      return mapKnown(value ?? unknownText(), (text) => changeCase(text, operation.operator));
    case 'Transform':
      return transform(value, operation.operand.value, context);
    default:
      return transformed(value ?? unknownText());
  }
}

function defaulted(
  name: string,
  operator: string,
  value: Text | undefined,
  alternative: Text,
  context: WordContext,
): Text {
  if (operator.endsWith('+')) return value === undefined || value.text !== '' ? alternative : EMPTY;
  // A variable that the command did not set may be set or not: its default counts.
  const unset = value === undefined || value.text === '' || value.text === HOLE;
  if (!unset) return value;
  if (operator.endsWith('=')) context.assign(name, alternative);
  return operator.endsWith('?') ? (value ?? unknownText()) : alternative;
}

function slice(value: Text | undefined, offset: string, length: string | undefined): Text {
  const from = Number(offset);
  const count = length === undefined ? undefined : Number(length);
  return mapKnown(value ?? unknownText(), (text) => {
    if (!Number.isInteger(from) || (count !== undefined && !Number.isInteger(count))) return undefined;
    const rest = text.slice(from);
    return count === undefined ? rest : rest.slice(0, count);
  });
}

function changeCase(text: string, operator: string): string {
  const change = operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase();
  return operator.length === 2 ? change : change.slice(0, 1) + text.slice(1);
}

/** `@P` expands the value as a prompt, which runs the substitutions in it. */
function transform(value: Text | undefined, kind: string, context: WordContext): Text {
  if (value === undefined) return unknownText();
  if (kind === 'P') {
    context.evaluate(literal(`: "${value.text.replaceAll('"', '\\"')}"`));
    return isKnown(value.text) && !/[\\$`]/.test(value.text) ? value : transformed(value);
  }
  if (kind === 'U') return mapKnown(value, (text) => text.toUpperCase());
  if (kind === 'L') return mapKnown(value, (text) => text.toLowerCase());
  return kind === 'Q' && /^[\w./-]*$/.test(value.text) ? value : transformed(value);
}
