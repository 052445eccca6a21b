import * as z from 'zod';
import { readFrontMatter } from '../front-matter/read-front-matter.ts';
import { splitFrontMatter } from '../front-matter/split-front-matter.ts';
import { showHidden, showOnOneLine } from '../shown-text.ts';
import { badSkillFile } from '../skill-error.ts';

/** A user's message with places for arguments. */
export interface Template {
  readonly name: string;
  /** One line. */
  readonly description: string;
  readonly text: string;
}

const schema = z.looseObject({
  description: z
    .string({ error: 'must be text' })
    .max(1_024, { error: 'is longer than 1024 characters' })
    .default(''),
});

/**
 * Reads a template: Markdown, with or without front matter (`description`).
 *
 * @throws BulkheadError `config_invalid` naming file and line
 */
export function parseTemplate(name: string, bytes: Uint8Array, fileName: string): Template {
  const { yaml, body } = splitFrontMatter(bytes, fileName);
  const { description } = yaml === undefined ? { description: '' } : readFrontMatter(yaml, fileName, schema);
  const text = showHidden(body).text.trim();
  if (text === '') throw badSkillFile(fileName, 1, 'has no text');
  return { name, description: showOnOneLine(description).text, text };
}
