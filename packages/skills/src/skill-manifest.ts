import * as z from 'zod';
import { readFrontMatter } from './front-matter/read-front-matter.ts';
import { splitFrontMatter } from './front-matter/split-front-matter.ts';
import { showHidden, showOnOneLine } from './shown-text.ts';
import { badSkillFile } from './skill-error.ts';
import { isSkillName } from './skill-name.ts';

/** The file that makes a folder a skill. */
export const SKILL_FILE = 'SKILL.md';

/** Longest displayed request, in characters. */
const MAX_WISH = 200;

/** The content of a `SKILL.md`, with invisible characters made visible. */
export interface SkillManifest {
  readonly name: string;
  /** One line. */
  readonly description: string;
  readonly license: string;
  readonly compatibility: string;
  readonly metadata: Readonly<Record<string, string>>;
  /**
   * Its requests beyond being read (`allowed-tools`, hooks, installations, …), as `key: value`.
   * Shown to the person who installs it, and never granted (FT67).
   */
  readonly wishes: readonly string[];
  /** The instructions. */
  readonly body: string;
  /** How many invisible or direction-changing characters the file had (FT58). */
  readonly hidden: number;
}

/** The Agent Skills format; other keys are requests. Plain numbers and booleans become text. */
const text = (most: number) =>
  z
    .union([z.string(), z.number(), z.boolean()], { error: 'must be text' })
    .transform(String)
    .pipe(z.string().max(most, { error: `is longer than ${most} characters` }));

const schema = z.looseObject({
  name: z.string({ error: 'name is missing' }),
  description: z
    .string({ error: 'description is missing' })
    .refine((value) => value.trim() !== '', { error: 'is empty' })
    .refine((value) => value.length <= 1_024, { error: 'is longer than 1024 characters' }),
  license: text(500).default(''),
  compatibility: text(500).default(''),
  metadata: z.record(z.string().max(100), text(1_000), { error: 'must be a map of texts' }).default({}),
});

const OWN_KEYS: ReadonlySet<string> = new Set(Object.keys(schema.shape));

/**
 * Reads a `SKILL.md`.
 *
 * @param bytes of the file, or its first bytes if there are too many
 * @param fileName for messages
 * @param folder its folder's name, which must match the skill's; undefined for a skill not
 * installed yet
 * @throws BulkheadError `config_invalid` naming file and line
 */
export function parseSkill(bytes: Uint8Array, fileName: string, folder?: string): SkillManifest {
  const { yaml, body } = splitFrontMatter(bytes, fileName);
  if (yaml === undefined)
    throw badSkillFile(fileName, 1, 'does not begin with front matter between lines `---`');
  const read = readFrontMatter(yaml, fileName, schema);
  const line = lineOfKey(yaml, 'name');
  if (!isSkillName(read.name)) {
    throw badSkillFile(
      fileName,
      line,
      'name must be 1 to 64 of a-z, 0-9 and single hyphens, and not "knowledge"',
    );
  }
  if (folder !== undefined && read.name !== folder) {
    throw badSkillFile(fileName, line, `name is "${read.name}", its folder is called otherwise`);
  }
  const counted = new CountingShow();
  const description = counted.line(read.description);
  const metadata = Object.fromEntries(
    Object.entries(read.metadata).map(([key, value]) => [counted.line(key), counted.line(value)]),
  );
  const others = Object.entries(read).filter(([key]) => !OWN_KEYS.has(key));
  return {
    name: read.name,
    description,
    license: counted.line(read.license),
    compatibility: counted.line(read.compatibility),
    metadata,
    wishes: others.map(([key, value]) => counted.line(wish(key, value))),
    body: counted.text(body).trim(),
    hidden: counted.hidden,
  };
}

/** Shows texts and counts what was hidden in all of them. */
class CountingShow {
  hidden = 0;

  line(given: string): string {
    const { text: shown, hidden } = showOnOneLine(given);
    this.hidden += hidden;
    return shown;
  }

  text(given: string): string {
    const { text: shown, hidden } = showHidden(given);
    this.hidden += hidden;
    return shown;
  }
}

function wish(key: string, value: unknown): string {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  const line = `${key}: ${shown}`;
  return line.length > MAX_WISH ? `${line.slice(0, MAX_WISH)}…` : line;
}

function lineOfKey(yaml: string, key: string): number {
  return Math.max(1, yaml.split('\n').findIndex((line) => line.startsWith(`${key}:`)) + 1);
}
