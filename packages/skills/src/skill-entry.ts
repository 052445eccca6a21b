/** The place where a skill was found; for equal names, the later place wins. */
export type SkillOrigin = 'built-in' | 'global' | 'profile' | 'folder';

/** A skill as the prompt lists it. */
export interface SkillEntry {
  /** Lower-case letters, digits and hyphens, as its folder is named; at most 64. */
  readonly name: string;
  /** When to use it, on one line without invisible characters; about 1,024 characters. */
  readonly description: string;
  readonly origin: SkillOrigin;
  /** Path of its `SKILL.md`; empty for a built-in one. */
  readonly location: string;
  /** True while all its files match the hash that a person pinned: only then is it guidance. */
  readonly pinned: boolean;
}
