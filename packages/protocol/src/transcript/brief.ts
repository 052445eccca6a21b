const LIMIT = 96;

/** Arguments worth showing first, by what tools call them. */
const TELLING = ['command', 'path', 'pattern', 'query', 'url', 'name', 'to'];

/** A tool call's arguments on one line: the one that says most, else all of them as JSON. */
export function briefArguments(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = new Map<string, unknown>(Object.entries(input));
  for (const name of TELLING) {
    const value = fields.get(name);
    if (typeof value === 'string' && value !== '') return firstLine(value);
  }
  return fields.size === 0 ? '' : firstLine(JSON.stringify(input));
}

/** How a command ended, as its result says it below its output; what it changed may follow. */
const ENDED = /^\[((?:exit code|killed by|stopped:) [^\]]+)\]$/;

/**
 * What went wrong, on one line. An error says at its end what to do about it: what is too long is cut in its middle. Of a command:
 * how it ended, and the last it said.
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

/** The first line that says something, cut to what fits a terminal line. */
export function firstLine(text: string): string {
  const line = text.split('\n').find((part) => part.trim() !== '') ?? '';
  const more = line.length < text.trim().length;
  const characters = [...line.trim()];
  if (characters.length > LIMIT) return `${characters.slice(0, LIMIT - 1).join('')}…`;
  return more ? `${characters.join('')} …` : characters.join('');
}
