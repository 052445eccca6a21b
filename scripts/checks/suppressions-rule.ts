import ts from 'typescript';

/** A place that silences the compiler or the linter, or gives up a type. */
export interface Suppression {
  /** `path:line`. */
  readonly place: string;
  readonly kind: string;
  readonly hasReason: boolean;
}

const COMMENT = /(?:\/\/|\/\*|<!--|^\s*\*).*(?:@ts-(?:expect-error|ignore|nocheck)|biome-ignore)/;
const KINDS: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'biome-ignore', pattern: /\bbiome-ignore(?:-\w+)?\b[^:]*:?(?<reason>.*)/ },
  { kind: '@ts-expect-error', pattern: /@ts-expect-error\b:?(?<reason>.*)/ },
  { kind: '@ts-ignore', pattern: /@ts-ignore\b:?(?<reason>.*)/ },
  { kind: '@ts-nocheck', pattern: /@ts-nocheck\b:?(?<reason>.*)/ },
];

/**
 * @param path For the report; its extension gives the language.
 * @param text Content of a TypeScript, JavaScript or Svelte file.
 */
export function findSuppressions(path: string, text: string): Suppression[] {
  const lines = text.split('\n');
  const comments = lines.flatMap((line, index) => {
    const code = withoutStrings(line);
    if (!COMMENT.test(code)) return [];
    return KINDS.flatMap(({ kind, pattern }) => {
      const match = pattern.exec(code);
      return match === null ? [] : [suppression(path, index, kind, match.groups?.['reason'] ?? '')];
    });
  });
  const anys = linesWithAny(path, text).map((index) =>
    suppression(path, index, 'any', lines[index]?.split('//').slice(1).join('//') ?? ''),
  );
  return [...comments, ...anys];
}

function suppression(path: string, index: number, kind: string, comment: string): Suppression {
  const reason = comment.replace('*/', '').replace('-->', '').trim();
  return { place: `${path}:${index + 1}`, kind, hasReason: reason.length >= 10 };
}

/** Line indexes of `any` as a type, once each. */
function linesWithAny(path: string, text: string): number[] {
  if (!path.endsWith('.ts') || !text.includes('any')) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext);
  const found = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) {
      found.add(source.getLineAndCharacterOfPosition(node.getStart(source)).line);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found];
}

/**
 * @param found All of the checkout.
 * @param limit The committed number, which may only shrink.
 */
export function suppressionProblems(found: readonly Suppression[], limit: number): string[] {
  const bare = found
    .filter((one) => !one.hasReason)
    .map((one) => `${one.place}: ${one.kind} without a reason`);
  if (!Number.isInteger(limit)) return [...bare, 'the limit is not a number'];
  if (found.length > limit) {
    return [
      ...bare,
      `${found.length} suppressions, more than ${limit}:`,
      ...found.map((one) => `  ${one.place}: ${one.kind}`),
    ];
  }
  if (found.length < limit)
    return [...bare, `only ${found.length} suppressions are left: lower the limit from ${limit}`];
  return bare;
}

function withoutStrings(line: string): string {
  return line.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "''");
}
