import { badSkillFile } from '../skill-error.ts';

/** Longest front matter, in bytes. */
const MAX_FRONT_MATTER = 8 * 1024;

/** Longest text behind it, in bytes. */
export const MAX_BODY = 256 * 1024;

/** Longest file of this kind: whoever reads it from a disk needs to read no more than one byte beyond. */
export const MAX_TEXT_FILE = MAX_FRONT_MATTER + MAX_BODY;

/** A Markdown file in its two parts. */
export interface FrontMatterFile {
  /** Begins with an empty line in the place of the opening `---`: its lines have the numbers of the file's. */
  readonly yaml: string | undefined;
  readonly body: string;
}

/**
 * Parts the YAML front matter from the text behind it. Nothing is parsed; the sizes are checked before anything else.
 *
 * @param fileName for messages
 * @returns `yaml` undefined for a file without front matter
 * @throws BulkheadError `config_invalid`, naming file and line: too large, no UTF-8, front matter that doesn't end
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
