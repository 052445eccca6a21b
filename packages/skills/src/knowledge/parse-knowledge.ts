import * as z from 'zod';
import { readFrontMatter } from '../front-matter/read-front-matter.ts';
import { splitFrontMatter } from '../front-matter/split-front-matter.ts';
import { showHidden, showOnOneLine } from '../shown-text.ts';

/** Longest summary, in characters. */
const MAX_SUMMARY = 200;

/** A text of the user's own that the model may refer to. */
export interface KnowledgeFile {
  readonly name: string;
  /** One line: a summary of its content. */
  readonly summary: string;
  /** The source of the summary, as written in the file. */
  readonly summarySource: string;
  /** True if every prompt includes it. */
  readonly always: boolean;
  readonly text: string;
  /** How many invisible or direction-changing characters it had (FT58). */
  readonly hidden: number;
}

const schema = z.looseObject({
  always: z.boolean({ error: 'must be true or false' }).default(false),
  summary: z
    .string({ error: 'must be text' })
    .max(1_024, { error: 'is longer than 1024 characters' })
    .optional(),
});

/**
 * Reads a knowledge file: Markdown, with or without front matter (`always`, `summary`).
 *
 * @throws BulkheadError `config_invalid` naming file and line
 */
export function parseKnowledge(name: string, bytes: Uint8Array, fileName: string): KnowledgeFile {
  const { yaml, body } = splitFrontMatter(bytes, fileName);
  const { always, summary } =
    yaml === undefined ? { always: false, summary: undefined } : readFrontMatter(yaml, fileName, schema);
  const { text, hidden } = showHidden(body);
  const line = showOnOneLine(summary ?? firstLine(text));
  const summarySource = summary ?? body.split('\n').find((one) => /[^\s#>*-]/.test(one)) ?? '';
  return {
    name,
    always,
    summary: [...line.text].slice(0, MAX_SUMMARY).join(''),
    summarySource,
    text: text.trim(),
    hidden: hidden + line.hidden,
  };
}

/** Returns the first heading or line with content. */
function firstLine(text: string): string {
  return (/^[#\s>*-]*([^\s#>*-][^\n]*)/.exec(text)?.[1] ?? '').trim();
}
