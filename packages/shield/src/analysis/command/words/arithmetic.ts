import type { ArithmeticExpression } from 'unbash';

/** Variables as numbers. */
export type NumberOf = (name: string) => number | undefined;

const BINARY: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => Math.trunc(left / right),
  '%': (left, right) => left % right,
  '**': (left, right) => left ** right,
  '<<': (left, right) => left * 2 ** right,
  '>>': (left, right) => Math.floor(left / 2 ** right),
  '&': (left, right) => left & right,
  '|': (left, right) => left | right,
  '^': (left, right) => left ^ right,
};

/**
 * The value of a constant expression of integers.
 *
 * @returns undefined if it is not constant, assigns, or is not supported here
 */
export function evaluateArithmetic(expression: ArithmeticExpression, numberOf: NumberOf): number | undefined {
  switch (expression.type) {
    case 'ArithmeticWord':
      return wordValue(expression.value, numberOf);
    case 'ArithmeticGroup':
      return evaluateArithmetic(expression.expression, numberOf);
    case 'ArithmeticUnary': {
      const operand = evaluateArithmetic(expression.operand, numberOf);
      return operand !== undefined && expression.operator === '-' ? -operand : undefined;
    }
    case 'ArithmeticBinary': {
      const left = evaluateArithmetic(expression.left, numberOf);
      const right = evaluateArithmetic(expression.right, numberOf);
      const apply = BINARY[expression.operator];
      const value = left === undefined || right === undefined ? undefined : apply?.(left, right);
      return value !== undefined && Number.isSafeInteger(value) ? value : undefined;
    }
    default:
      return undefined;
  }
}

function wordValue(word: string, numberOf: NumberOf): number | undefined {
  if (/^0[xX][0-9a-fA-F]{1,12}$/.test(word)) return Number.parseInt(word, 16);
  if (/^0[0-7]{1,15}$/.test(word)) return Number.parseInt(word, 8);
  const based = /^(\d{1,2})#([0-9a-zA-Z]{1,12})$/.exec(word);
  if (based !== null) return basedValue(Number(based[1]), based[2] ?? '');
  if (/^\d{1,15}$/.test(word)) return Number(word);
  const name = /^\$?\{?(\w+)\}?$/.exec(word)?.[1];
  return name === undefined ? undefined : numberOf(name);
}

function basedValue(base: number, digits: string): number | undefined {
  if (base < 2 || base > 36) return undefined;
  const value = Number.parseInt(digits, base);
  return Number.isNaN(value) ? undefined : value;
}
