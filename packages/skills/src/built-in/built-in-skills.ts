import { FileSet } from '../files/file-set.ts';
import { type Skill, skillOf } from '../skill.ts';
import { SKILL_FILE } from '../skill-manifest.ts';
import { REVIEW_CHANGES } from './review-changes.ts';
import { TIDY_NOTES } from './tidy-notes.ts';
import { WRITE_SKILL } from './write-skill.ts';

/** The shipped skills, by name. They are part of the code, so no one can change them separately. */
export function builtInSkills(): readonly Skill[] {
  return [REVIEW_CHANGES, TIDY_NOTES, WRITE_SKILL].map((text) => {
    const files = new FileSet();
    files.add({ path: SKILL_FILE, executable: false, bytes: Buffer.from(text) });
    return skillOf(files, 'built-in');
  });
}
