import { posix } from 'node:path';
import ts from 'typescript';
import type { parseExceptions } from './file-size-rule.ts';

/** One file that imports another by a relative path; both below the checkout. */
export interface FileImport {
  readonly from: string;
  readonly to: string;
}

/** Folders of one package, each of which imports the next, and the last the first. */
export interface FolderCycle {
  readonly package: string;
  readonly steps: readonly FolderStep[];
}

/** A reason why one folder needs another. */
interface FolderStep {
  readonly from: string;
  readonly to: string;
  readonly imports: readonly FileImport[];
}

/** Tests, their support code and the programs they start may use every folder. */
const TEST = /(?:\.(?:test|child|conformance)\.ts|\/testing\.ts|\/(?:testing|regressions)\/.*)$/;
/**
 * The package, and the folder below its root; none for the files of the root, which join the
 * folders.
 */
const PLACE = /^(packages\/[^/]+)\/src\/.+\/[^/]+$/;
const SCRIPTS = /<script\b[^>]*>(.*?)<\/script>/gs;
const SHOWN = 6;

/**
 * Finds a file's imports by relative path, including types: a folder that needs another's types
 * can't be read without it.
 *
 * @param path of a TypeScript or Svelte file
 */
export function findImports(path: string, text: string): FileImport[] {
  const code = path.endsWith('.svelte')
    ? [...text.matchAll(SCRIPTS)].map(([, script]) => script).join('\n')
    : text;
  return ts
    .preProcessFile(code, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => ({ from: path, to: posix.join(posix.dirname(path), fileName) }));
}

/** @returns the shortest cycle of each folder that is in one, each cycle once */
export function findFolderCycles(imports: readonly FileImport[]): FolderCycle[] {
  const graph = graphOf(imports);
  const cycles = new Map<string, FolderCycle>();
  for (const start of [...graph.keys()].sort()) {
    const folders = shortestCycle(start, graph);
    if (folders === undefined) continue;
    const steps = folders.map((from, at) => {
      const to = folders[(at + 1) % folders.length] ?? start;
      return { from, to, imports: graph.get(from)?.get(to) ?? [] };
    });
    const key = [...folders].sort().join(' ');
    if (!cycles.has(key)) cycles.set(key, { package: packageOf(start), steps });
  }
  return [...cycles.values()];
}

/** By folder, then by the folder it needs. */
type FolderGraph = ReadonlyMap<string, ReadonlyMap<string, readonly FileImport[]>>;

function graphOf(imports: readonly FileImport[]): FolderGraph {
  const graph = new Map<string, Map<string, FileImport[]>>();
  for (const one of imports) {
    if (TEST.test(one.from) || TEST.test(one.to) || !PLACE.test(one.from) || !PLACE.test(one.to)) continue;
    const [from, to] = [posix.dirname(one.from), posix.dirname(one.to)];
    if (from === to || packageOf(from) !== packageOf(to)) continue;
    const needs = graph.get(from) ?? new Map<string, FileImport[]>();
    graph.set(from, needs.set(to, [...(needs.get(to) ?? []), one]));
  }
  return graph;
}

function shortestCycle(start: string, graph: FolderGraph): readonly string[] | undefined {
  const seen = new Set<string>();
  const paths: (readonly string[])[] = [[start]];
  // Grows during the walk, so shorter paths come first.
  for (const path of paths) {
    const needs = graph.get(path.at(-1) ?? start) ?? new Map<string, readonly FileImport[]>();
    if (needs.has(start)) return path;
    const unseen = [...needs.keys()].filter((folder) => !seen.has(folder));
    for (const folder of unseen) {
      seen.add(folder);
      paths.push([...path, folder]);
    }
  }
  return undefined;
}

function packageOf(folder: string): string {
  return folder.split('/').slice(0, 2).join('/');
}

/**
 * @returns a text for each cycle in a package without an exception, and for each unused exception
 */
export function folderCycleProblems(
  cycles: readonly FolderCycle[],
  { entries, problems }: ReturnType<typeof parseExceptions>,
): string[] {
  const excused = new Set(entries.map(({ path }) => path));
  const needed = new Set(cycles.map((cycle) => cycle.package));
  return [
    ...problems,
    ...cycles.filter((cycle) => !excused.has(cycle.package)).map(cycleText),
    ...entries
      .filter(({ path }) => !needed.has(path))
      .map(({ path }) => `${path} needs no exception any more: it has no cycle of folders`),
  ];
}

function cycleText({ steps }: FolderCycle): string {
  const circle = [...steps.map(({ from }) => from), steps[0]?.from].join(' → ');
  const lines = steps.flatMap(({ from, to, imports }) => [
    `  ${from} needs ${to}:`,
    ...imports.slice(0, SHOWN).map((one) => `    ${one.from} imports ${one.to}`),
    ...(imports.length > SHOWN ? [`    and ${imports.length - SHOWN} more`] : []),
  ]);
  return [`${circle}: these folders can be understood, tested and moved only together`, ...lines].join('\n');
}
