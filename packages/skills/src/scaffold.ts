import { FileSet } from './files/file-set.ts';
import { SKILL_FILE } from './skill-manifest.ts';

/**
 * The files of a new skill, to be filled in.
 *
 * @param name as `isSkillName` allows
 */
export function scaffoldSkill(name: string): FileSet {
  const title = name.replaceAll('-', ' ');
  const text = `---
name: ${name}
description: Says in one sentence what this does, then "Use when …" with the words a person would say.
---

# ${title[0]?.toUpperCase() ?? ''}${title.slice(1)}

1. What to look at first.
2. What to do, one step a line; name the tool where it matters.
3. How to check that it worked.

Done means: say here what the person gets at the end.
`;
  const files = new FileSet();
  files.add({ path: SKILL_FILE, executable: false, bytes: Buffer.from(text) });
  return files;
}
