import { FileSet } from '../files/file-set.ts';
import { type Skill, skillOf } from '../skill.ts';
import { SKILL_FILE } from '../skill-manifest.ts';
import { REVIEW_CHANGES } from './review-changes.ts';
import { TIDY_NOTES } from './tidy-notes.ts';
import { WRITE_SKILL } from './write-skill.ts';

/** The skills that come with the product, by name. They are part of its code: nobody can change them apart from it. */
export function builtInSkills(): readonly Skill[] {
  return [REVIEW_CHANGES, TIDY_NOTES, WRITE_SKILL].map((text) => {
    const files = new FileSet();
    files.add({ path: SKILL_FILE, executable: false, bytes: Buffer.from(text) });
    return skillOf(files, 'built-in');
  });
}
