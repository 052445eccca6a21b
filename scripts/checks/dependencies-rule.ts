import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/** Limit of dependencies of one function or class. */
const LIMIT = 8;

/** A function that creates a part of a room, by its name. */
const MAKES = /^(?:create|open|wire)[A-Z]/;

/** An object that carries dependencies, by the name of its parameter or of its type. */
const CARRIES = /^(?:parts|options|config|services|seams|setting)$/;
const CARRIER_TYPE = /(?:Parts|Options|Config|Services|Setting)$/;

/** A class or function, with the number of its dependencies. */
export interface DependencyCount {
  readonly path: string;
  readonly name: string;
  readonly count: number;
}

/** A class or function that may have more, with the reason. */
export interface DependencyException extends DependencyCount {
  readonly reason: string;
}

/**
 * Counts dependencies: the parameters of a constructor or of a function that makes something, or
 * the members of the object that one of them carries, whichever is more.
 *
 * @param sources all files of the rooms, by path: a type is looked up in its own file and in those
 *   that it imports
 */
export function countDependencies(sources: ReadonlyMap<string, string>): readonly DependencyCount[] {
  const files = new Map(
    [...sources].map(([path, text]) => [path, ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)]),
  );
  const counts: DependencyCount[] = [];
  for (const [path, file] of files) {
    for (const { name, parameters } of makersOf(file)) {
      const carried = parameters.map((parameter) => membersOfParameter(parameter, files));
      counts.push({ path, name, count: Math.max(parameters.length, ...carried) });
    }
  }
  return counts;
}

/** Reads the list of exceptions: one per line, `YYYY-MM-DD path name count reason`. */
export function parseDependencyExceptions(text: string): {
  readonly entries: readonly DependencyException[];
  readonly problems: readonly string[];
} {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const entries: DependencyException[] = [];
  const problems: string[] = [];
  for (const line of lines) {
    const match = /^\d{4}-\d{2}-\d{2} (?<path>\S+) (?<name>\S+) (?<count>\d+) (?<reason>\S.{9,})$/.exec(line);
    const { path, name, count, reason } = match?.groups ?? {};
    if (path === undefined || name === undefined || reason === undefined)
      problems.push(`an exception is written \`YYYY-MM-DD path name count reason\`, not: ${line}`);
    else entries.push({ path, name, count: Number(count), reason });
  }
  return { entries, problems };
}

/** @returns problems, one line each: too many dependencies, or an exception that is too generous */
export function dependencyProblems(
  counts: readonly DependencyCount[],
  exceptions: ReturnType<typeof parseDependencyExceptions>,
): string[] {
  const excused = new Map(exceptions.entries.map((entry) => [keyOf(entry), entry.count]));
  const counted = new Map(counts.map((one) => [keyOf(one), one.count]));
  return [
    ...exceptions.problems,
    ...counts
      .filter((one) => one.count > (excused.get(keyOf(one)) ?? LIMIT))
      .map(({ path, name, count }) => `${path} ${name} has ${count} dependencies; at most ${LIMIT}`),
    ...exceptions.entries
      .filter((entry) => (counted.get(keyOf(entry)) ?? 0) < entry.count)
      .map(
        (entry) => `${keyOf(entry)} has ${counted.get(keyOf(entry)) ?? 0} now: lower or remove its exception`,
      ),
  ];
}

function keyOf({ path, name }: Pick<DependencyCount, 'path' | 'name'>): string {
  return `${path} ${name}`;
}

type Files = ReadonlyMap<string, ts.SourceFile>;

interface Maker {
  readonly name: string;
  readonly parameters: readonly ts.ParameterDeclaration[];
}

function makersOf(file: ts.SourceFile): readonly Maker[] {
  return file.statements.flatMap((statement): readonly Maker[] => {
    if (ts.isFunctionDeclaration(statement) && MAKES.test(statement.name?.text ?? ''))
      return [{ name: statement.name?.text ?? '', parameters: statement.parameters }];
    if (!ts.isClassDeclaration(statement)) return [];
    return statement.members
      .filter(ts.isConstructorDeclaration)
      .map(({ parameters }) => ({ name: statement.name?.text ?? '', parameters }));
  });
}

function membersOfParameter({ name, type }: ts.ParameterDeclaration, files: Files): number {
  if (type === undefined) return 1;
  const isCarrier =
    ts.isObjectBindingPattern(name) ||
    ts.isTypeLiteralNode(type) ||
    (ts.isIdentifier(name) && CARRIES.test(name.text)) ||
    (ts.isTypeReferenceNode(type) && CARRIER_TYPE.test(type.typeName.getText()));
  return isCarrier ? membersOf(type, files) : 1;
}

/** A type that is not an object's, or that no file of the rooms declares, counts once. */
function membersOf(type: ts.Node, files: Files): number {
  return Math.max(namesIn(type, files).size, 1);
}

function namesIn(type: ts.Node, files: Files): ReadonlySet<string> {
  if (ts.isTypeLiteralNode(type)) return new Set(type.members.map(nameOf));
  if (ts.isIntersectionTypeNode(type)) return union(type.types, files);
  if (ts.isInterfaceDeclaration(type)) {
    const parents = type.heritageClauses?.flatMap((clause) => [...clause.types]) ?? [];
    return new Set([...union(parents, files), ...type.members.map(nameOf)]);
  }
  if (ts.isTypeReferenceNode(type))
    return namesOfReference(type.typeName.getText(), type.typeArguments ?? [], type, files);
  if (ts.isExpressionWithTypeArguments(type))
    return namesOfReference(type.expression.getText(), type.typeArguments ?? [], type, files);
  return new Set();
}

function nameOf(member: ts.TypeElement): string {
  return member.name?.getText() ?? '';
}

function union(types: readonly ts.Node[], files: Files): ReadonlySet<string> {
  return new Set(types.flatMap((one) => [...namesIn(one, files)]));
}

function namesOfReference(
  name: string,
  [first, second]: readonly ts.TypeNode[],
  place: ts.Node,
  files: Files,
): ReadonlySet<string> {
  if (name === 'Pick' && second !== undefined) return keysIn(second);
  if (['Omit', 'Partial', 'Readonly'].includes(name) && first !== undefined)
    return without(namesIn(first, files), second === undefined ? new Set() : keysIn(second));
  const declared = declarationOf(name, place.getSourceFile(), files);
  return declared === undefined ? new Set() : namesIn(declared, files);
}

function without(all: ReadonlySet<string>, some: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...all].filter((name) => !some.has(name)));
}

function keysIn(keys: ts.TypeNode): ReadonlySet<string> {
  const each = ts.isUnionTypeNode(keys) ? keys.types : [keys];
  return new Set(each.map((key) => key.getText().replaceAll(/['"]/g, '')));
}

function declarationOf(name: string, file: ts.SourceFile, files: Files): ts.Node | undefined {
  for (const statement of file.statements) {
    if (ts.isInterfaceDeclaration(statement) && statement.name.text === name) return statement;
    if (ts.isTypeAliasDeclaration(statement) && statement.name.text === name) return statement.type;
    const target = ts.isImportDeclaration(statement) ? importedFrom(statement, name, files) : undefined;
    if (target !== undefined) return declarationOf(name, target, files);
  }
  return undefined;
}

function importedFrom(
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
  name: string,
  files: Files,
): ts.SourceFile | undefined {
  const named = importClause?.namedBindings;
  if (named === undefined || !ts.isNamedImports(named) || !ts.isStringLiteral(moduleSpecifier))
    return undefined;
  if (!named.elements.some((element) => element.name.text === name)) return undefined;
  return files.get(pathOf(moduleSpecifier.text, moduleSpecifier.getSourceFile().fileName));
}

function pathOf(specifier: string, from: string): string {
  const room = /^@bulkhead\/(?<package>[^/]+)\/(?<file>.+)$/.exec(specifier)?.groups;
  if (room !== undefined) return `packages/${room['package']}/src/${room['file']}.ts`;
  return normalize(join(dirname(from), specifier));
}
