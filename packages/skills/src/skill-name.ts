/** Lower-case letters, digits and single hyphens between them: the form of the Agent Skills format. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Longest name, in characters. */
const MAX_LENGTH = 64;

/** `load_skills ["knowledge/…"]` means knowledge files: no skill may stand in front of them. */
const RESERVED: ReadonlySet<string> = new Set(['knowledge']);

/**
 * True if a skill, a template or a knowledge file may be called so. Such a name is one component of a path on every system,
 * and nothing else of what a file says ever becomes one.
 */
export function isPlainName(name: string): boolean {
  return name.length <= MAX_LENGTH && NAME.test(name);
}

/** True if a skill may be called so. */
export function isSkillName(name: string): boolean {
  return isPlainName(name) && !RESERVED.has(name);
}
