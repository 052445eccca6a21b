/** One setting of a git configuration. */
export interface GitSetting {
  /** In lower case. */
  readonly section: string;
  /** As written; undefined for a section without one. */
  readonly subsection: string | undefined;
  /** In lower case. */
  readonly name: string;
  /** Undefined for a name alone, which means true. */
  readonly value: string | undefined;
}

export interface GitConfig {
  /** In their order. If git refuses the text, those before the place where it stops. */
  readonly settings: readonly GitSetting[];
  /**
   * True if the text has only forms that every version of git reads alike, and git accepts it. False
   * for carriage returns, a byte order mark, control characters, lines that continue, `[a.b]` and
   * settings behind a section's name, although they are read as git 2.39 does.
   */
  readonly isPlain: boolean;
}

const KEY = /[A-Za-z0-9-]/;
const LETTER = /[A-Za-z]/;
const SPACE = /[ \t\n\r]/;
/** Characters that programs may show or read differently. */
const UNCLEAR = /[^\P{Cc}\t\n]|[\ufeff\ufffd]/u;
const BYTE_ORDER_MARK = '\ufeff';
/** Escapes in a value, and the characters they stand for. */
const ESCAPES: Readonly<Record<string, string>> = { t: '\t', b: '\b', n: '\n', '\\': '\\', '"': '"' };

/**
 * Reads the text of a git configuration by git's own rules. Includes are settings like any other:
 * none is followed. Takes time in proportion to the text.
 *
 * Source: `git_parse_source` in config.c of git 2.39; git-config(1), "Syntax".
 */
export function readGitConfig(text: string): GitConfig {
  const parser = new ConfigParser(text);
  const isWhole = parser.read();
  return { settings: parser.settings, isPlain: isWhole && parser.isPlain };
}

/** The way git itself writes a setting; `readGitConfig` reads it as the same, and as plain. */
export function writeGitSetting({ section, subsection, name, value }: GitSetting): string {
  const head = subsection === undefined ? section : `${section} "${subsection.replace(/[\\"]/g, '\\$&')}"`;
  const text = value?.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `[${head}]\n\t${name}${text === undefined ? '' : ` = "${text}"`}\n`;
}

interface Base {
  readonly section: string;
  readonly subsection: string | undefined;
}

class ConfigParser {
  readonly settings: GitSetting[] = [];
  isPlain: boolean;
  readonly #text: string;
  #at = 0;
  #atEnd = false;
  #section: Base | undefined;
  #isBehindSection = false;

  constructor(text: string) {
    this.#text = text;
    this.isPlain = !UNCLEAR.test(text);
  }

  /** @returns false where git would refuse the rest */
  read(): boolean {
    if (this.#text.startsWith(BYTE_ORDER_MARK)) this.#at = 1;
    let isRemark = false;
    for (;;) {
      const char = this.#next();
      if (char === '\n') {
        if (this.#atEnd) return true;
        isRemark = false;
        this.#isBehindSection = false;
      } else if (char === '#' || char === ';') isRemark = true;
      else if (!isRemark && !SPACE.test(char) && !this.#item(char)) return false;
    }
  }

  /** A section or a setting. */
  #item(first: string): boolean {
    if (this.#isBehindSection) this.isPlain = false;
    if (first === '[') {
      this.#section = this.#base();
      this.#isBehindSection = true;
      return this.#section !== undefined;
    }
    // Git takes a setting without a section for one with an odd name.
    if (this.#section === undefined) this.isPlain = false;
    const section = this.#section ?? { section: '', subsection: undefined };
    return LETTER.test(first) && this.#setting(section, first);
  }

  /** The end of the text counts as the end of a line. */
  #next(): string {
    const char = this.#text[this.#at];
    if (char === undefined) {
      this.#atEnd = true;
      return '\n';
    }
    this.#at += 1;
    if (char !== '\r' || this.#text[this.#at] !== '\n') return char;
    this.#at += 1;
    return '\n';
  }

  #base(): Base | undefined {
    let name = '';
    for (;;) {
      const char = this.#next();
      if (this.#atEnd) return undefined;
      if (char === ']') return this.#parted(name, undefined);
      if (SPACE.test(char)) {
        const subsection = this.#subsection(char);
        return subsection === undefined ? undefined : this.#parted(name, subsection);
      }
      if (!KEY.test(char) && char !== '.') return undefined;
      name += char.toLowerCase();
    }
  }

  #parted(name: string, quoted: string | undefined): Base {
    const dot = name.indexOf('.');
    if (dot < 0 && name !== '') return { section: name, subsection: quoted };
    this.isPlain = false;
    if (dot < 0) return { section: name, subsection: quoted };
    const rest = name.slice(dot + 1);
    return { section: name.slice(0, dot), subsection: quoted === undefined ? rest : `${rest}.${quoted}` };
  }

  #subsection(space: string): string | undefined {
    let char = space;
    if (char !== ' ') this.isPlain = false;
    while (SPACE.test(char)) {
      if (char === '\n') return undefined;
      char = this.#next();
    }
    if (char !== '"') return undefined;
    let text = '';
    for (char = this.#next(); char !== '"'; char = this.#next()) {
      if (char === '\\') {
        char = this.#next();
        if (char !== '\\' && char !== '"') this.isPlain = false;
      }
      if (char === '\n') return undefined;
      text += char;
    }
    return this.#next() === ']' ? text : undefined;
  }

  #setting(base: Base, first: string): boolean {
    let name = first.toLowerCase();
    let char = this.#next();
    for (; !this.#atEnd && KEY.test(char); char = this.#next()) name += char.toLowerCase();
    while (char === ' ' || char === '\t') char = this.#next();
    if (char === '\n') {
      this.settings.push({ ...base, name, value: undefined });
      return true;
    }
    if (char !== '=') return false;
    const value = this.#value();
    if (value === undefined) return false;
    this.settings.push({ ...base, name, value });
    return true;
  }

  #value(): string | undefined {
    const value = new ValueText();
    for (;;) {
      const char = this.#next();
      if (char === '\n') break;
      if (value.skips(char)) continue;
      if (char === '"') value.isQuoted = !value.isQuoted;
      else if (char !== '\\') value.text += char;
      else if (!this.#escaped(value)) return undefined;
    }
    if (!value.isPlain) this.isPlain = false;
    return value.isQuoted ? undefined : value.text;
  }

  /** @returns false for an escape that git refuses */
  #escaped(value: ValueText): boolean {
    const char = this.#next();
    if (char === '\n' || char === 'b') this.isPlain = false;
    if (char === '\n') return true;
    const escaped = Object.hasOwn(ESCAPES, char) ? ESCAPES[char] : undefined;
    if (escaped !== undefined) value.text += escaped;
    return escaped !== undefined;
  }
}

/** A value that is being read. */
class ValueText {
  text = '';
  isQuoted = false;
  isPlain = true;
  #isRemark = false;
  #spaces = '';

  /** True for a character that is no part of the value, or that counts only if another follows. */
  skips(char: string): boolean {
    if (this.#isRemark) return true;
    if (!this.isQuoted && SPACE.test(char)) {
      if (this.text !== '') this.#spaces += char;
      return true;
    }
    if (!this.isQuoted && (char === ';' || char === '#')) {
      this.#isRemark = true;
      return true;
    }
    // Versions differ in what becomes of a tab.
    if (/[^ ]/.test(this.#spaces)) this.isPlain = false;
    this.text += ' '.repeat(this.#spaces.length);
    this.#spaces = '';
    return false;
  }
}
