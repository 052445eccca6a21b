const LIMIT = 96;

/** The most informative arguments, by their usual names. */
const TELLING = ['command', 'path', 'pattern', 'query', 'url', 'name', 'to'];

/**
 * A tool call's arguments on one line: the most informative one, else all of them as JSON. A search
 * shows what is searched for, and where.
 */
export function briefArguments(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = new Map<string, unknown>(Object.entries(input));
  const pattern = fields.get('pattern');
  const path = fields.get('path');
  if (typeof pattern === 'string' && typeof path === 'string' && pattern !== '' && path !== '')
    return firstLine(path === '.' ? pattern : `${firstLine(pattern)} in ${path}`);
  for (const name of TELLING) {
    const value = fields.get(name);
    if (typeof value === 'string' && value !== '') return firstLine(value);
  }
  return fields.size === 0 ? '' : firstLine(JSON.stringify(input));
}

/**
 * How a command ended, in the form that its result has below its output; its changes may follow.
 */
const ENDED = /^\[((?:exit code|killed by|stopped:) [^\]]+)\]$/;

/** How a command failed, for a person. */
export interface CommandFailure {
  /** `exit code 1`, `killed by SIGKILL`, `stopped: …`. */
  readonly ended: string;
  /** The last lines of its output, without empty lines at their end. */
  readonly lines: readonly string[];
  /** How many lines of output come before them. */
  readonly earlier: number;
  /** Lines of Bulkhead below the output: what the box refused, and what would help. */
  readonly notes: readonly string[];
}

/** Matches a list of changes, which clients show otherwise. */
const CHANGES = /^(?:files: |nothing it changed was kept$)/;

/**
 * The parts of a failed command's result; undefined for any other error.
 * @param limit most lines of output
 */
export function commandFailure(text: string, limit: number): CommandFailure | undefined {
  const all = text.trimEnd().split('\n');
  const end = all.findLastIndex((line) => ENDED.test(line.trim()));
  if (end < 0) return undefined;
  const said = all.slice(0, end).join('\n').trimEnd();
  const lines = said === '' ? [] : said.split('\n');
  const shown = lines.slice(-limit);
  const notes = all.slice(end + 1).flatMap((line) => {
    const note = /^\[(.+)\]$/.exec(line.trim())?.[1];
    return note === undefined || CHANGES.test(note) ? [] : [note];
  });
  return {
    ended: ENDED.exec(all[end]?.trim() ?? '')?.[1] ?? '',
    lines: shown,
    earlier: lines.length - shown.length,
    notes,
  };
}

/**
 * An error on one line. Its end contains the remedy: a long one is shortened in its middle. For a
 * command: how it ended, and its last output.
 */
export function errorBrief(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const end = lines.findLastIndex((line) => ENDED.test(line.trim()));
  if (end >= 0) {
    const how = ENDED.exec(lines[end]?.trim() ?? '')?.[1] ?? '';
    const said = lines[end - 1]?.trim();
    return said === undefined ? how : `${how}: ${lastWords(said)}`;
  }
  const [first = '', ...others] = lines.map((line) => line.trim());
  const last = others.at(-1);
  if (last !== undefined) return `${firstLine(first)} … ${lastWords(last)}`;
  const long = [...first].length > 2 * LIMIT;
  return long ? `${firstLine(first)} ${lastWords(first)}` : first;
}

function lastWords(line: string): string {
  const characters = [...line];
  return characters.length > LIMIT ? `…${characters.slice(1 - LIMIT).join('')}` : line;
}

/** The first line with content, shortened to a terminal line. */
export function firstLine(text: string): string {
  const line = text.split('\n').find((part) => part.trim() !== '') ?? '';
  const more = line.length < text.trim().length;
  const characters = [...line.trim()];
  if (characters.length > LIMIT) return `${characters.slice(0, LIMIT - 1).join('')}…`;
  return more ? `${characters.join('')} …` : characters.join('');
}
