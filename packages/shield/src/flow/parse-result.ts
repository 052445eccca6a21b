/**
 * Parses a tool's result: JSON, or Python's output for the same values; else the text itself. Peers
 * send anything, so no input is an error; unstructured data is text, which endorses least.
 */
export type Parsed = string | number | boolean | null | readonly Parsed[] | ParsedObject;

export interface ParsedObject {
  readonly [key: string]: Parsed;
}

const MAX_DEPTH = 64;

export function parseResult(text: string): Parsed {
  const trimmed = text.trim();
  if (!/^[[{(]/u.test(trimmed)) return headedList(trimmed) ?? trimmed;
  const reader = new LiteralReader(trimmed);
  const value = reader.value(0);
  return value !== undefined && reader.atEnd() ? value : trimmed;
}

/** `Heading: a`, then one member a line: a list with its heading. */
function headedList(text: string): ParsedObject | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const match = /^([\p{L}][\p{L}\p{N} _-]{0,60}):\s+(\S.{0,120})$/u.exec(lines[0] ?? '');
  if (match === null || lines.length < 2) return undefined;
  const [, heading = '', first = ''] = match;
  const rest = lines.slice(1).filter((line) => line !== '');
  if (rest.length === 0 || rest.some((line) => line.length > 120 || line.includes(':'))) return undefined;
  return { [heading]: [first, ...rest] };
}

/**
 * Reads JSON and Python literals in one pass. Each method returns undefined where the text is
 * neither.
 */
class LiteralReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    this.#space();
    return this.#at === this.#text.length;
  }

  value(depth: number): Parsed | undefined {
    if (depth > MAX_DEPTH) return undefined;
    this.#space();
    const first = this.#text[this.#at];
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#list(']', depth);
    if (first === '(') return this.#list(')', depth);
    if (first === '"' || first === "'") return this.#string(first);
    return this.#word();
  }

  #object(depth: number): ParsedObject | undefined {
    const members: [string, Parsed][] = [];
    this.#at += 1;
    for (;;) {
      if (this.#skip('}')) return Object.fromEntries(members);
      const key = this.value(depth + 1);
      if (key === undefined || (typeof key === 'object' && key !== null) || !this.#skip(':'))
        return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      members.push([String(key), value]);
      if (!this.#skip(',') && this.#peek() !== '}') return undefined;
    }
  }

  #list(end: string, depth: number): readonly Parsed[] | undefined {
    const members: Parsed[] = [];
    this.#at += 1;
    for (;;) {
      if (this.#skip(end)) return members;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      members.push(value);
      if (!this.#skip(',') && this.#peek() !== end) return undefined;
    }
  }

  #string(quote: string): string | undefined {
    const start = this.#at + 1;
    let at = start;
    while (at < this.#text.length && this.#text[at] !== quote) at += this.#text[at] === '\\' ? 2 : 1;
    if (at >= this.#text.length) return undefined;
    this.#at = at + 1;
    return this.#text.slice(start, at).replaceAll(ESCAPE, plainOfEscape);
  }

  #word(): Parsed | undefined {
    const word = /[^\s,:}\])]*/uy;
    word.lastIndex = this.#at;
    const text = word.exec(this.#text)?.[0] ?? '';
    this.#at += text.length;
    if (/^(?:true|True)$/u.test(text)) return true;
    if (/^(?:false|False)$/u.test(text)) return false;
    if (/^(?:null|None)$/u.test(text)) return null;
    return text !== '' && /^-?\d/u.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;
  }

  #peek(): string | undefined {
    this.#space();
    return this.#text[this.#at];
  }

  #skip(mark: string): boolean {
    if (this.#peek() !== mark) return false;
    this.#at += 1;
    return true;
  }

  #space(): void {
    while (/\s/u.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/gu;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function plainOfEscape(
  _: string,
  unit: string | undefined,
  byte: string | undefined,
  one: string | undefined,
): string {
  const code = unit ?? byte;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return ESCAPES[one ?? ''] ?? one ?? '';
}
