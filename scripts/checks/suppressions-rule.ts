/** A place where the compiler or the linter is told to be silent, or a type is given up. */
export interface Suppression {
  /** `path:line`. */
  readonly place: string;
  readonly kind: string;
  readonly hasReason: boolean;
}

const KINDS: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'biome-ignore', pattern: /\bbiome-ignore(?:-\w+)?\b[^:]*:?\s*(?<reason>.*)/ },
  { kind: '@ts-expect-error', pattern: /@ts-expect-error\b:?\s*(?<reason>.*)/ },
  { kind: '@ts-ignore', pattern: /@ts-ignore\b:?\s*(?<reason>.*)/ },
  { kind: '@ts-nocheck', pattern: /@ts-nocheck\b:?\s*(?<reason>.*)/ },
  { kind: 'any', pattern: /(?::|\bas|<|,|\|)\s*any\b(?=\s*[;,)>=\]|&[]|\s*$)(?:.*\/\/\s*(?<reason>.*))?/ },
];

/**
 * @param path For the report.
 * @param text Content of a TypeScript or JavaScript file.
 */
export function findSuppressions(path: string, text: string): Suppression[] {
  const found: Suppression[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const code = withoutStrings(line);
    for (const { kind, pattern } of KINDS) {
      const match = pattern.exec(kind === 'any' ? (withoutComment(code) ?? code) : code);
      if (match === null) continue;
      const reason = (match.groups?.['reason'] ?? '').replace('*/', '').trim();
      found.push({ place: `${path}:${index + 1}`, kind, hasReason: reason.length >= 10 });
    }
  }
  return found;
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

/** A line that is prose only; a trailing comment stays, for it may be the reason. */
function withoutComment(line: string): string | undefined {
  return /^\s*(\/\/|\*|\/\*)/.test(line) ? '' : undefined;
}
