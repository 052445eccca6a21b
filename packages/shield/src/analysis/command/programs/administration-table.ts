import { ADMINISTRATION } from './administration.ts';

/** One way that a program acts. */
export interface AdministrationRule {
  readonly kind: string;
  /** Empty: every use. A word that ends in `*` is a prefix. */
  readonly words: readonly string[];
}

/** By name of the program. */
export const ADMINISTRATION_TABLE: ReadonlyMap<string, readonly AdministrationRule[]> =
  readTable(ADMINISTRATION);

function readTable(lines: string): ReadonlyMap<string, readonly AdministrationRule[]> {
  const table = new Map<string, AdministrationRule[]>();
  for (const line of lines.split('\n')) {
    const [head = '', tail] = line.split(': ');
    const [kind, ...names] = head.trim().split(/\s+/);
    if (kind === undefined || kind === '') continue;
    const rule = { kind, words: tail === undefined ? [] : tail.trim().split(/\s+/) };
    for (const name of names) table.set(name, [...(table.get(name) ?? []), rule]);
  }
  return table;
}

/** The kinds of power that a program uses with these arguments. */
export function administrationOf(name: string, args: readonly string[]): readonly string[] {
  const rules = ADMINISTRATION_TABLE.get(name);
  if (rules === undefined) return [];
  const acting = rules.filter(
    ({ words }) => words.length === 0 || args.some((each) => words.some((word) => fits(word, each))),
  );
  return [...new Set(acting.map(({ kind }) => kind))];
}

function fits(word: string, argument: string): boolean {
  if (word === '*=*') return /^[\w.-]+=/.test(argument);
  return word.endsWith('*') ? argument.startsWith(word.slice(0, -1)) : argument === word;
}
