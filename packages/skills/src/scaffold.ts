import { FileSet } from './files/file-set.ts';
import { SKILL_FILE } from './skill-manifest.ts';

/** Placeholders in a new skill for the author to replace. */
const TO_FILL_IN = [
  'description: Says in one sentence what this does, then "Use when …" with the words a person would say.',
  '1. What to look at first.',
  '2. What to do, one step a line; name the tool where it matters.',
  '3. How to check that it worked.',
  'Done means: say here what the person gets at the end.',
] as const;

/**
 * The files of a new skill, to be filled in.
 *
 * @param name as `isSkillName` allows
 */
export function scaffoldSkill(name: string): FileSet {
  const title = name.replaceAll('-', ' ');
  const [description, first, second, third, end] = TO_FILL_IN;
  const text = `---
name: ${name}
${description}
---

# ${title[0]?.toUpperCase() ?? ''}${title.slice(1)}

${first}
${second}
${third}

${end}
`;
  const files = new FileSet();
  files.add({ path: SKILL_FILE, executable: false, bytes: Buffer.from(text) });
  return files;
}

/**
 * Returns the first line of a `SKILL.md` with a placeholder, from 1; undefined if there is none.
 */
export function lineToFillIn(bytes: Uint8Array): number | undefined {
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
  const at = lines.findIndex((line) => TO_FILL_IN.some((wanted) => wanted === line.trim()));
  return at < 0 ? undefined : at + 1;
}
