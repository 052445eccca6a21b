import type { FileSet } from './files/file-set.ts';
import { badSkillFile } from './skill-error.ts';
import { parseSkill, SKILL_FILE, type SkillManifest } from './skill-manifest.ts';

/** A skill with all its files, as they were read at one moment. */
export interface Skill {
  readonly manifest: SkillManifest;
  readonly files: FileSet;
  /** SHA-256 (hex) over names, modes and bytes of all files. */
  readonly hash: string;
}

/**
 * @param place of the skill's folder, for messages
 * @param folder name of its folder; undefined for a skill not installed yet
 * @throws BulkheadError `config_invalid` naming file and line
 */
export function skillOf(files: FileSet, place: string, folder?: string): Skill {
  const fileName = `${place}/${SKILL_FILE}`;
  const file = files.get(SKILL_FILE);
  if (file === undefined) throw badSkillFile(fileName, 1, 'is missing: a skill is a folder with this file');
  return { manifest: parseSkill(file.bytes, fileName, folder), files, hash: files.hash() };
}
