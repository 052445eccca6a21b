/**
 * The use of an option's value.
 *
 * - `value`: irrelevant here; `flag`: the option takes no value, but matters to the role
 * - `read`, `write`, `remove`: a file; `input`: a file of operands or code that the role reads
 * - `shell`: a command line that the program runs; `program`: a program that it starts; `code`:
 * text in its own language
 * - `config`: a setting `name=value`, which may run programs; `folder`: the program's working
 * folder
 * - `data`: text that leaves, `@file` for a file; `upload`: a file that leaves; `host`: where it
 * connects
 */
export type OptionUse = (typeof OPTION_USES)[number];

const OPTION_USES = [
  'value',
  'flag',
  'read',
  'write',
  'remove',
  'input',
  'shell',
  'program',
  'code',
  'config',
  'folder',
  'data',
  'upload',
  'host',
] as const;

/** How a program uses its operands: the name of a grammar. */
export interface Program {
  readonly role: string;
  readonly options: ReadonlyMap<string, OptionUse>;
}

/** Programs by name. */
export type ProgramTable = ReadonlyMap<string, Program>;

/**
 * Reads a table of programs: one line each, `name,name role option=use option=use …`.
 *
 * @throws Error for an unknown use: a mistake in the table
 */
export function programTable(lines: string): ProgramTable {
  const table = new Map<string, Program>();
  for (const line of lines.split('\n')) {
    const [names = '', role, ...options] = line.trim().split(/\s+/);
    if (role === undefined) continue;
    const program = { role, options: new Map(options.map((option) => optionOf(option, names))) };
    for (const name of names.split(',')) table.set(name, program);
  }
  return table;
}

function optionOf(option: string, names: string): readonly [string, OptionUse] {
  const at = option.lastIndexOf('=');
  const use = OPTION_USES.find((known) => known === option.slice(at + 1));
  if (use === undefined) throw new Error(`the table of programs has no use for ${option} of ${names}`);
  return [option.slice(0, at), use];
}
