import ts from 'typescript';

/** A place that takes a record's body as an object of any fields, where the compiler checks none of them. */
export interface LooseBody {
  /** Below the checkout. */
  readonly path: string;
  readonly line: number;
  /** `indexes` it by the name of a field, or `types` it as any object. */
  readonly fault: 'indexes' | 'types';
  /** The expression or the type, as written. */
  readonly text: string;
}

/**
 * Finds each `body['field']` and `….body[field]`, and each body whose type is an object of unknown fields. An index
 * that is a number is left alone: bytes and lists are called bodies too, and a record's body is neither.
 *
 * @param path for the report
 * @param text of a TypeScript file
 */
export function findLooseBodies(path: string, text: string): LooseBody[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const found: LooseBody[] = [];
  const add = (node: ts.Node, fault: LooseBody['fault']): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push({ path, line: line + 1, fault, text: node.getText(source).replaceAll(/\s+/g, ' ') });
  };
  const visit = (node: ts.Node): void => {
    if (isIndexedBody(node)) add(node, 'indexes');
    const type = typeOfBody(node);
    if (type !== undefined && holdsAnyFields(type)) add(type, 'types');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** @returns what is wrong, one line each */
export function looseBodyProblems(found: readonly LooseBody[]): string[] {
  return found.map(({ path, line, fault, text }) =>
    fault === 'indexes'
      ? `${path}:${line} reads or writes ${text}: narrow the LogRecord by its type, and name the field`
      : `${path}:${line} types a body as ${text}: use LogRecord, RecordOf or RecordBody of its type`,
  );
}

function isIndexedBody(node: ts.Node): boolean {
  if (!ts.isElementAccessExpression(node) || ts.isNumericLiteral(node.argumentExpression)) return false;
  return isBody(node.expression);
}

function isBody(node: ts.Expression): boolean {
  const bare = unwrapped(node);
  if (ts.isIdentifier(bare)) return bare.text === 'body';
  if (ts.isPropertyAccessExpression(bare)) return bare.name.text === 'body';
  if (!ts.isElementAccessExpression(bare)) return false;
  return ts.isStringLiteralLike(bare.argumentExpression) && bare.argumentExpression.text === 'body';
}

/** Without parentheses, casts and `!`. */
function unwrapped(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node);
  return isWrapped ? unwrapped(node.expression) : node;
}

/** The type that is given to what is called a body: a field, a variable, a parameter, a result, an alias, a cast. */
function typeOfBody(node: ts.Node): ts.TypeNode | undefined {
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return isBody(node.expression) ? node.type : undefined;
  const isTyped =
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isFunctionLike(node) ||
    ts.isTypeAliasDeclaration(node);
  if (!isTyped || node.type === undefined || node.name === undefined) return undefined;
  return /(?:^body|Body)$/.test(node.name.getText()) ? node.type : undefined;
}

/** True for `Record<string, unknown>`, however it is wrapped, and its other spelling with an index. */
function holdsAnyFields(type: ts.TypeNode): boolean {
  if (ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type)) return holdsAnyFields(type.type);
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) return type.types.some(holdsAnyFields);
  if (ts.isTypeLiteralNode(type))
    return type.members.some((member) => ts.isIndexSignatureDeclaration(member) && isUnknown(member.type));
  if (!ts.isTypeReferenceNode(type)) return false;
  const [first, second] = type.typeArguments ?? [];
  const name = type.typeName.getText();
  if (name === 'Readonly' || name === 'Partial') return first !== undefined && holdsAnyFields(first);
  return name === 'Record' && first?.kind === ts.SyntaxKind.StringKeyword && isUnknown(second);
}

function isUnknown(type: ts.TypeNode | undefined): boolean {
  return type?.kind === ts.SyntaxKind.UnknownKeyword || type?.kind === ts.SyntaxKind.AnyKeyword;
}
