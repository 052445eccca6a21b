/**
 * Lower-case letters, digits and single hyphens between them: the form of the Agent Skills format.
 */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Longest name, in characters. */
const MAX_LENGTH = 64;

/** `load_skills ["knowledge/…"]` means knowledge files: a skill with this name would hide them. */
const RESERVED: ReadonlySet<string> = new Set(['knowledge']);

/**
 * True for a valid name of a skill, a template or a knowledge file. Such a name is one path
 * component on every system, and nothing else in a file ever becomes one.
 */
export function isPlainName(name: string): boolean {
  return name.length <= MAX_LENGTH && NAME.test(name);
}

/** True for a valid name of a skill. */
export function isSkillName(name: string): boolean {
  return isPlainName(name) && !RESERVED.has(name);
}
