import { badSkillFile } from '../skill-error.ts';

/** Longest front matter, in bytes. */
const MAX_FRONT_MATTER = 8 * 1024;

/** Longest text after it, in bytes. */
export const MAX_BODY = 256 * 1024;

/** Longest file of this kind: a reader needs at most one byte more to detect a longer one. */
export const MAX_TEXT_FILE = MAX_FRONT_MATTER + MAX_BODY;

/** A Markdown file in its two parts. */
export interface FrontMatterFile {
  /**
   * Starts with an empty line in place of the opening `---`, so that line numbers match the file's.
   */
  readonly yaml: string | undefined;
  readonly body: string;
}

/**
 * Separates the YAML front matter from the text after it. Parses nothing; checks the sizes first.
 *
 * @param fileName for messages
 * @returns `yaml` undefined for a file without front matter
 * @throws BulkheadError `config_invalid`, naming file and line: too large, not UTF-8, unterminated
 * front matter
 */
export function splitFrontMatter(bytes: Uint8Array, fileName: string): FrontMatterFile {
  if (bytes.byteLength > MAX_TEXT_FILE) {
    throw badSkillFile(fileName, 1, `is larger than ${MAX_TEXT_FILE / 1024} KiB`);
  }
  const text = decode(bytes, fileName)
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n');
  if (!/^---[ \t]*\n/.test(text)) return { yaml: undefined, body: text };
  const start = text.indexOf('\n');
  const end = endOfFrontMatter(text, start);
  if (end === undefined) throw badSkillFile(fileName, 1, 'the front matter has no closing line `---`');
  const yaml = text.slice(start, end.at);
  if (Buffer.byteLength(yaml) > MAX_FRONT_MATTER) {
    throw badSkillFile(fileName, 1, `the front matter is longer than ${MAX_FRONT_MATTER / 1024} KiB`);
  }
  const body = text.slice(end.after);
  if (Buffer.byteLength(body) > MAX_BODY) {
    throw badSkillFile(fileName, 1, `the text is longer than ${MAX_BODY / 1024} KiB`);
  }
  return { yaml, body };
}

function decode(bytes: Uint8Array, fileName: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw badSkillFile(fileName, 1, 'is no UTF-8 text', cause);
  }
}

function endOfFrontMatter(text: string, start: number): { at: number; after: number } | undefined {
  const closing = /\n---[ \t]*(?:\n|$)/g;
  closing.lastIndex = start;
  const found = closing.exec(text);
  return found === null ? undefined : { at: found.index + 1, after: found.index + found[0].length };
}
