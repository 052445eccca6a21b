import { Descriptor, fileError, systemCode } from '@bulkhead/files';
import { namesIn } from './files/walk-skill-folder.ts';
import { MAX_TEXT_FILE } from './front-matter/split-front-matter.ts';
import { showOnOneLine } from './shown-text.ts';
import { badSkillFile } from './skill-error.ts';
import { isPlainName } from './skill-name.ts';

/** Most files of one folder. */
const MAX_FILES = 500;

const SUFFIX = '.md';

/** The content of a folder of Markdown files. */
export interface ReadTexts<Text> {
  readonly texts: readonly Text[];
  /** One for each unusable file, with file and line. */
  readonly warnings: readonly string[];
}

/** Reads one file. @throws BulkheadError `config_invalid` naming file and line */
export type ParseText<Text> = (name: string, bytes: Uint8Array, fileName: string) => Text;

/**
 * The `NAME.md` files of one folder: templates, knowledge. Reads a file again after a change.
 */
export class TextFolder<Text> {
  readonly path: string;
  readonly #parse: ParseText<Text>;
  readonly #known = new Map<
    string,
    { readonly stamp: string; readonly text: Text | undefined; readonly warning: string }
  >();

  /** @param path absolute, writable only by the user; may be missing */
  constructor(path: string, parse: ParseText<Text>) {
    this.path = path;
    this.#parse = parse;
  }

  /** Returns texts by name. Never throws: an unreadable file is a warning. */
  read(): ReadTexts<Text> {
    const texts: Text[] = [];
    const warnings: string[] = [];
    try {
      using folder = Descriptor.ofTrustedFolder(this.path);
      const names = namesIn(folder, MAX_FILES).filter(
        (name) => name.endsWith(SUFFIX) && !name.startsWith('.'),
      );
      for (const name of names.slice(0, MAX_FILES)) {
        const { text, warning } = this.#readFile(folder, name);
        if (text !== undefined) texts.push(text);
        if (warning !== '') warnings.push(warning);
      }
      if (names.length > MAX_FILES) warnings.push(`${this.path}: only the first ${MAX_FILES} files are used`);
    } catch (cause) {
      if (systemCode(cause) !== 'ENOENT') warnings.push(fileError(cause, this.path).message);
    }
    return { texts, warnings };
  }

  #readFile(folder: Descriptor, file: string) {
    const fileName = `${this.path}/${showOnOneLine(file).text}`;
    try {
      using entry = Descriptor.ofEntry(folder, Buffer.from(file));
      const { dev, ino, size, mtimeNs, ctimeNs } = entry.stat();
      const stamp = [dev, ino, size, mtimeNs, ctimeNs].join(':');
      const known = this.#known.get(file);
      if (known?.stamp === stamp) return known;
      const read = { stamp, ...this.#parsed(entry, file, fileName) };
      this.#known.set(file, read);
      return read;
    } catch (cause) {
      return { text: undefined, warning: fileError(cause, fileName).message };
    }
  }

  #parsed(entry: Descriptor, file: string, fileName: string) {
    try {
      return {
        text: this.#parse(plainName(file, fileName), bytesOf(entry, fileName), fileName),
        warning: '',
      };
    } catch (cause) {
      return { text: undefined, warning: fileError(cause, fileName).message };
    }
  }
}

/** Returns the name of a text, from its file's. @throws BulkheadError `config_invalid` */
export function plainName(file: string, fileName: string): string {
  const name = file.slice(0, -SUFFIX.length);
  if (isPlainName(name)) return name;
  throw badSkillFile(fileName, 1, 'is to be named by 1 to 64 of a-z, 0-9 and single hyphens, then .md');
}

function bytesOf(entry: Descriptor, fileName: string): Uint8Array {
  if (!entry.stat().isFile()) throw badSkillFile(fileName, 1, 'is no plain file; links are not followed');
  if (entry.stat().size > MAX_TEXT_FILE)
    throw badSkillFile(fileName, 1, `is larger than ${MAX_TEXT_FILE / 1024} KiB`);
  using content = entry.openContent();
  const bytes = content.readUpTo(MAX_TEXT_FILE);
  if (bytes === undefined) throw badSkillFile(fileName, 1, 'changed while it was read');
  return bytes;
}
