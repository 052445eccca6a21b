import { Descriptor, fileError, systemCode } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import { readSkillFolder, stampOf } from '../files/read-skill-folder.ts';
import { namesIn } from '../files/walk-skill-folder.ts';
import { showOnOneLine } from '../shown-text.ts';
import { type Skill, skillOf } from '../skill.ts';
import { badSkillFile } from '../skill-error.ts';
import { SKILL_FILE, type SkillManifest } from '../skill-manifest.ts';
import { isSkillName } from '../skill-name.ts';

/** Most skills of one place. */
const MAX_SKILLS = 500;

/** A skill's metadata, without its files. */
export interface FoundSkill {
  readonly name: string;
  readonly manifest: Omit<SkillManifest, 'body'>;
  readonly hash: string;
  /** Of its `SKILL.md`. */
  readonly location: string;
}

/** The skills of one place. */
export interface FoundSkills {
  readonly skills: readonly FoundSkill[];
  /** One for each unusable skill, with file and line. */
  readonly warnings: readonly string[];
}

type Look = { readonly skill: FoundSkill } | { readonly warning: string };

/**
 * A folder of skills. Caches results until a file changes: checking an unchanged skill costs the
 * names and times of its files, and reads none.
 */
export class SkillRoot {
  readonly path: string;
  readonly #known = new Map<string, { readonly stamp: string; readonly look: Look }>();

  /** @param path absolute, writable only by the user; may be missing */
  constructor(path: string) {
    this.path = path;
  }

  /** Returns all skills, by name. Never throws: an unreadable skill is a warning. */
  look(): FoundSkills {
    const skills: FoundSkill[] = [];
    const warnings: string[] = [];
    try {
      using root = this.#open();
      if (root === undefined) return { skills, warnings };
      const names = namesIn(root, MAX_SKILLS).filter((name) => !name.startsWith('.'));
      if (names.length > MAX_SKILLS)
        warnings.push(`${this.path}: only the first ${MAX_SKILLS} skills are used`);
      const looked = names.slice(0, MAX_SKILLS);
      for (const name of looked) {
        const look = this.#lookAt(root, name);
        if (look === undefined) continue;
        if ('skill' in look) skills.push(look.skill);
        else warnings.push(look.warning);
      }
      for (const name of this.#known.keys()) if (!looked.includes(name)) this.#known.delete(name);
    } catch (cause) {
      warnings.push(`${this.path}: ${fileError(cause, 'the folder of skills').message}`);
    }
    return { skills, warnings };
  }

  /**
   * Reads a skill with all its files now: its hash covers exactly the returned files.
   *
   * @returns undefined if no skill has this name
   * @throws BulkheadError `config_invalid`, `blocked`, `tool_failed`: problems that `look` reports
   * as warnings
   */
  read(name: string): Skill | undefined {
    if (!isSkillName(name)) return undefined;
    try {
      using root = this.#open();
      if (root === undefined) return undefined;
      using folder = openFolder(root, name);
      return folder === undefined ? undefined : readSkill(folder, `${this.path}/${name}`, name);
    } catch (cause) {
      if (systemCode(cause) === 'ENOENT') return undefined;
      throw fileError(cause, `${this.path}/${name}`);
    }
  }

  #open(): Descriptor | undefined {
    try {
      return Descriptor.ofTrustedFolder(this.path);
    } catch (cause) {
      if (systemCode(cause) === 'ENOENT') return undefined;
      throw cause;
    }
  }

  /** @returns undefined for an entry that is not a skill */
  #lookAt(root: Descriptor, name: string): Look | undefined {
    const place = `${this.path}/${showOnOneLine(name).text}`;
    try {
      using folder = openFolder(root, name);
      if (folder === undefined) return undefined;
      if (!isSkillName(name)) {
        return {
          warning: `${place}: a folder of a skill is named by 1 to 64 of a-z, 0-9 and single hyphens, not "knowledge"`,
        };
      }
      const stamp = stampOf(folder);
      const known = this.#known.get(name);
      if (known?.stamp === stamp) return known.look;
      const look = found(folder, place, name);
      // A change between the two reads gives another stamp the next time.
      this.#known.set(name, { stamp, look });
      return look;
    } catch (cause) {
      return { warning: warningOf(place, cause) };
    }
  }
}

function found(folder: Descriptor, place: string, name: string): Look {
  try {
    const { manifest, hash } = readSkill(folder, place, name);
    const { body: _body, ...rest } = manifest;
    return { skill: { name, manifest: rest, hash, location: `${place}/${SKILL_FILE}` } };
  } catch (cause) {
    return { warning: warningOf(place, cause) };
  }
}

function readSkill(folder: Descriptor, place: string, name: string): Skill {
  return skillOf(readSkillFolder(folder), place, name);
}

function warningOf(place: string, cause: unknown): string {
  const { code, message } = fileError(cause, `${place}/${SKILL_FILE}`);
  return code === 'config_invalid' ? message : badSkillFile(`${place}/${SKILL_FILE}`, 1, message).message;
}

/**
 * @returns undefined for a plain file, which is not a skill, and for a missing entry @throws
 * BulkheadError `blocked` for a link
 */
function openFolder(root: Descriptor, name: string): Descriptor | undefined {
  using guard = new DisposableStack();
  const entry = guard.use(Descriptor.ofEntry(root, Buffer.from(name)));
  const stat = entry.stat();
  if (stat.isSymbolicLink())
    throw new BulkheadError('blocked', 'it is a link: links are not followed, copy the folder');
  if (!stat.isDirectory()) return undefined;
  guard.move();
  return entry;
}
