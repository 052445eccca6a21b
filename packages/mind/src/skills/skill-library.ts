import { BulkheadError } from '@bulkhead/protocol';
import {
  builtInSkills,
  SKILL_FILE,
  type Skill,
  type SkillManifest,
  type SkillOrigin,
  SkillRoot,
} from '@bulkhead/skills';
import { type FolderTrust, folderSkills } from './folder-texts.ts';
import type { Pins } from './profile-pins.ts';
import type { PinnedOrigin } from './skill-pins.ts';
import { FOLDER_SKILLS, type SkillPlaces } from './skill-places.ts';

/** How the content of a skill stands to what a person confirmed. Only `pinned` is guidance. */
export type SkillState = 'pinned' | 'unpinned' | 'changed';

/** A skill as it is listed. */
export interface ListedSkill {
  readonly name: string;
  readonly manifest: Omit<SkillManifest, 'body'>;
  readonly origin: SkillOrigin;
  /** Of its `SKILL.md`; empty for a built-in one. */
  readonly location: string;
  readonly hash: string;
  readonly state: SkillState;
  /** Address and commit it was fetched from when it was installed; empty for what was on this machine. */
  readonly fetchedFrom: string;
  /** Origin of the nearer one of the same name; undefined if this one is in force. */
  readonly hiddenBy: SkillOrigin | undefined;
}

/** A skill with its files, as they are at this moment. */
export interface ReadSkill extends Skill {
  readonly listed: ListedSkill;
}

const UNPINNED = { state: 'unpinned', fetchedFrom: '' } as const;

/** Nearest first: the first of a name is in force. */
const NEAREST: readonly SkillOrigin[] = ['folder', 'profile', 'global', 'built-in'];

/** All skills there are, for a working folder. Content is compared with its pin at the very read that is used. */
export class SkillLibrary {
  readonly #roots: Readonly<Record<PinnedOrigin, SkillRoot>>;
  readonly #pins: Pins;
  readonly #trust: FolderTrust;
  readonly #builtIn: readonly Skill[];

  constructor(parts: {
    readonly places: SkillPlaces;
    readonly pins: Pins;
    readonly trust: FolderTrust;
  }) {
    const { places, pins, trust } = parts;
    this.#roots = { global: new SkillRoot(places.global), profile: new SkillRoot(places.profile) };
    this.#pins = pins;
    this.#trust = trust;
    this.#builtIn = builtInSkills();
  }

  /**
   * By name, the one in force before those it hides.
   *
   * @param folder working folder, resolved; empty for none
   * @returns warnings: what can't be used, each with file and line. Never throws for a skill
   */
  async list(
    folder: string,
  ): Promise<{ readonly skills: readonly ListedSkill[]; readonly warnings: readonly string[] }> {
    const warnings: string[] = [];
    const found = [
      ...(await this.#ofFolder(folder, warnings)).map(({ listed }) => listed),
      ...this.#ofRoot('profile', warnings),
      ...this.#ofRoot('global', warnings),
      ...this.#builtIn.map((skill) => listedOf(skill, 'built-in', '', 'pinned')),
    ];
    const inForce = new Map<string, SkillOrigin>();
    const skills = found
      .toSorted((a, b) => (a.name === b.name ? nearness(a) - nearness(b) : a.name < b.name ? -1 : 1))
      .map((skill) => {
        const hiddenBy = inForce.get(skill.name);
        if (hiddenBy === undefined) inForce.set(skill.name, skill.origin);
        return { ...skill, hiddenBy };
      });
    return { skills, warnings };
  }

  /**
   * The skill of this name that is in force, with its files.
   *
   * @returns undefined if there is none
   * @throws BulkheadError what makes the nearest one of this name unusable: a farther one never steps in for it
   */
  async read(name: string, folder: string): Promise<ReadSkill | undefined> {
    const ofFolder = (await this.#ofFolder(folder, [])).find(({ listed }) => listed.name === name);
    if (ofFolder !== undefined) return ofFolder;
    for (const origin of ['profile', 'global'] as const) {
      const skill = this.readOwn(origin, name);
      if (skill !== undefined) return skill;
    }
    const own = this.#builtIn.find(({ manifest }) => manifest.name === name);
    return own === undefined ? undefined : { ...own, listed: listedOf(own, 'built-in', '', 'pinned') };
  }

  /**
   * A skill of one place, read now.
   *
   * @throws BulkheadError what makes it unusable
   */
  readOwn(origin: PinnedOrigin, name: string): ReadSkill | undefined {
    const root = this.#roots[origin];
    const skill = root.read(name);
    if (skill === undefined) return undefined;
    const listed = listedOf(skill, origin, `${root.path}/${name}/${SKILL_FILE}`, 'unpinned');
    return { ...skill, listed: { ...listed, ...this.#standingOf(origin, name, skill.hash) } };
  }

  #ofRoot(origin: PinnedOrigin, warnings: string[]): ListedSkill[] {
    const { skills, warnings: own } = this.#roots[origin].look();
    warnings.push(...own);
    return skills.map((skill) => ({
      ...skill,
      origin,
      ...this.#standingOf(origin, skill.name, skill.hash, warnings),
      hiddenBy: undefined,
    }));
  }

  async #ofFolder(folder: string, warnings: string[]): Promise<ReadSkill[]> {
    try {
      const { texts, warnings: own } = await folderSkills(this.#trust, folder);
      warnings.push(...own);
      return texts.map((skill) => {
        const location = `${folder}/${FOLDER_SKILLS}${skill.manifest.name}/${SKILL_FILE}`;
        // A person confirmed these very bytes when they trusted the folder.
        return { ...skill, listed: listedOf(skill, 'folder', location, 'pinned') };
      });
    } catch (cause) {
      warnings.push(BulkheadError.from(cause).message);
      return [];
    }
  }

  /** A list of pins that can't be believed pins nothing. */
  #standingOf(
    origin: PinnedOrigin,
    name: string,
    hash: string,
    warnings: string[] = [],
  ): Pick<ListedSkill, 'state' | 'fetchedFrom'> {
    try {
      const pin = this.#pins.get(origin, name);
      if (pin === undefined) return UNPINNED;
      return { state: pin.hash === hash ? 'pinned' : 'changed', fetchedFrom: pin.fetchedFrom ?? '' };
    } catch (cause) {
      const { message } = BulkheadError.from(cause);
      if (!warnings.includes(message)) warnings.push(message);
      return UNPINNED;
    }
  }
}

function nearness({ origin }: ListedSkill): number {
  return NEAREST.indexOf(origin);
}

function listedOf(skill: Skill, origin: SkillOrigin, location: string, state: SkillState): ListedSkill {
  const { body: _body, ...manifest } = skill.manifest;
  const { name } = manifest;
  return { name, manifest, origin, location, hash: skill.hash, state, fetchedFrom: '', hiddenBy: undefined };
}
