import ts from 'typescript';

/** A change of source text that a test should notice. */
export interface Mutation {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const OPERATORS = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
]);

/**
 * Lists every mutation of a source text: flipped conditions and comparisons, other constants,
 * dropped statements and awaits. Types, imports and texts are unchanged.
 */
export function mutationsOf(path: string, text: string): Mutation[] {
  const found: Mutation[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (isWithoutCode(node)) return;
    for (const mutate of [mutateCondition, mutateOperator, mutateConstant, mutateAwait, mutateStatement]) {
      const change = mutate(node, source);
      if (change === undefined) continue;
      const { kind, at = node, replacement } = change;
      found.push({ kind, start: at.getStart(source), end: at.end, replacement });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

interface Change {
  readonly kind: string;
  /** The node itself if absent. */
  readonly at?: ts.Node;
  readonly replacement: string;
}

function isWithoutCode(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  return ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
}

function mutateCondition(node: ts.Node, source: ts.SourceFile): Change | undefined {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) {
    const at = node.expression;
    return { kind: 'flip condition', at, replacement: `!(${at.getText(source)})` };
  }
  if (!ts.isConditionalExpression(node)) return undefined;
  const at = node.condition;
  return { kind: 'swap branches', at, replacement: `!(${at.getText(source)})` };
}

function mutateOperator(node: ts.Node): Change | undefined {
  if (!ts.isBinaryExpression(node) || addsText(node)) return undefined;
  const replacement = OPERATORS.get(node.operatorToken.kind);
  if (replacement === undefined) return undefined;
  return { kind: 'other operator', at: node.operatorToken, replacement };
}

function mutateConstant(node: ts.Node): Change | undefined {
  const kind = 'other constant';
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { kind, replacement: 'false' };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { kind, replacement: 'true' };
  if (!ts.isNumericLiteral(node) || ts.isPropertyName(node.parent)) return undefined;
  return { kind, replacement: `(${node.text} + 1)` };
}

function mutateAwait(node: ts.Node, source: ts.SourceFile): Change | undefined {
  if (!ts.isAwaitExpression(node)) return undefined;
  return { kind: 'drop await', replacement: `(${node.expression.getText(source)})` };
}

function mutateStatement(node: ts.Node): Change | undefined {
  return isDroppable(node) ? { kind: 'drop statement', replacement: ';' } : undefined;
}

/**
 * A statement with an effect: a call, an assignment, a throw. Not `super()`, without which nothing
 * loads.
 */
function isDroppable(node: ts.Node): boolean {
  if (ts.isThrowStatement(node)) return true;
  if (!ts.isExpressionStatement(node)) return false;
  const { expression } = node;
  return !(ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword);
}

/** `+` between texts: no person would write its mutated form. */
function addsText({ left, right }: ts.BinaryExpression): boolean {
  return [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
}
