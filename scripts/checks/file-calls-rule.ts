import ts from 'typescript';

/** A call of the file system with a path, in code that may handle paths named by other people. */
export interface FileCall {
  /** Below the checkout. */
  readonly path: string;
  readonly line: number;
  /**
   * The function, or the form that hides the function: `*` (a namespace), `import()`, `require()`.
   */
  readonly call: string;
}

/** A file, or a folder of files (ends in `/`), that may use some calls, with date and reason. */
export interface FileCallException {
  readonly path: string;
  readonly calls: readonly string[];
  readonly since: string;
  readonly reason: string;
}

const MODULES: ReadonlySet<string> = new Set(['fs', 'fs/promises'].flatMap((name) => [name, `node:${name}`]));

/**
 * Functions that take an open descriptor, or no argument: all others, now and in future, take a
 * path.
 */
const BY_DESCRIPTOR: ReadonlySet<string> = new Set([
  ...['constants', 'Stats', 'BigIntStats', 'Dirent'],
  ...[
    'close',
    'fstat',
    'read',
    'readv',
    'write',
    'writev',
    'fsync',
    'fdatasync',
    'ftruncate',
    'fchmod',
    'fchown',
    'futimes',
  ].flatMap((name) => [name, `${name}Sync`]),
]);

/**
 * Finds each use of a function that receives a path. A path may point elsewhere when it is used
 * than when it was checked.
 *
 * @param path for the report
 * @param text of a TypeScript file
 */
export function findFileCalls(path: string, text: string): FileCall[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const found: FileCall[] = [];
  const visit = (node: ts.Node): void => {
    for (const call of callsOf(node)) {
      found.push({ path, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, call });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function callsOf(node: ts.Node): readonly string[] {
  if (ts.isImportDeclaration(node) && isFileModule(node.moduleSpecifier))
    return importedCalls(node.importClause);
  if (ts.isExportDeclaration(node) && isFileModule(node.moduleSpecifier))
    return node.isTypeOnly ? [] : ['export'];
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return isFileModule(node.moduleReference.expression) ? ['*'] : [];
  }
  return ts.isCallExpression(node) ? hiddenCalls(node) : [];
}

function importedCalls(clause: ts.ImportClause | undefined): readonly string[] {
  if (clause === undefined || clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  const bindings = clause.namedBindings;
  const whole = clause.name !== undefined || (bindings !== undefined && ts.isNamespaceImport(bindings));
  if (bindings === undefined || !ts.isNamedImports(bindings)) return whole ? ['*'] : [];
  const names = bindings.elements
    .filter((element) => !element.isTypeOnly)
    .map((element) => (element.propertyName ?? element.name).text)
    .filter((name) => !BY_DESCRIPTOR.has(name));
  return whole ? ['*', ...names] : names;
}

/** Modules loaded by a call: `import('fs')`, `require('fs')`, `process.getBuiltinModule('fs')`. */
function hiddenCalls(node: ts.CallExpression): readonly string[] {
  const [first] = node.arguments;
  if (!isFileModule(first)) return [];
  return [node.expression.kind === ts.SyntaxKind.ImportKeyword ? 'import()' : 'require()'];
}

function isFileModule(node: ts.Expression | undefined): boolean {
  return node !== undefined && ts.isStringLiteralLike(node) && MODULES.has(node.text);
}

/**
 * Reads the list of exceptions: `YYYY-MM-DD path call,call reason`; empty lines and `#` comments
 * are skipped.
 *
 * @returns the entries, and a problem for each invalid line
 */
export function parseFileCallExceptions(text: string): {
  readonly entries: readonly FileCallException[];
  readonly problems: readonly string[];
} {
  const entries: FileCallException[] = [];
  const problems: string[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const match = /^(?<since>\d{4}-\d{2}-\d{2}) (?<path>\S+) (?<calls>\S+) (?<reason>\S.{14,})$/.exec(line);
    const { since, path, calls, reason } = match?.groups ?? {};
    if (since === undefined || path === undefined || calls === undefined || reason === undefined) {
      problems.push(`an exception is written \`YYYY-MM-DD path call,call reason\`, not: ${line}`);
    } else {
      entries.push({ path, calls: calls.split(','), since, reason });
    }
  }
  return { entries, problems };
}

/** @returns problems, one line each; also unused exceptions */
export function fileCallProblems(
  found: readonly FileCall[],
  { entries, problems }: ReturnType<typeof parseFileCallExceptions>,
): string[] {
  const excuse = (call: FileCall) => entries.find((entry) => excuses(entry, call));
  const needed = new Set(found.map(excuse));
  const needless = entries.flatMap((entry) => {
    const used = entry.calls.filter((name) =>
      found.some((call) => (name === 'any' || call.call === name) && excuses(entry, call)),
    );
    const idle = entry.calls.filter((name) => !used.includes(name));
    return needed.has(entry) && idle.length === 0
      ? []
      : [`${entry.path} needs no exception for ${idle.join(', ')} any more`];
  });
  return [
    ...problems,
    ...found
      .filter((call) => excuse(call) === undefined)
      .map(
        ({ path, line, call }) =>
          `${path}:${line} uses ${call}: what a path leads to can be swapped after it was checked`,
      ),
    ...needless,
  ];
}

function excuses(entry: FileCallException, { path, call }: FileCall): boolean {
  const covered = entry.path.endsWith('/') ? path.startsWith(entry.path) : path === entry.path;
  return covered && (entry.calls.includes('any') || entry.calls.includes(call));
}
