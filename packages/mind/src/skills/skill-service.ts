import type { AuditSink } from '@bulkhead/audit';
import { BulkheadError, type Clock } from '@bulkhead/protocol';
import {
  builtInSkills,
  isSkillName,
  lineToFillIn,
  removeSkillFolder,
  SKILL_FILE,
  scaffoldSkill,
  skillOf,
  writeSkillFolder,
} from '@bulkhead/skills';
import type { Pins } from './profile-pins.ts';
import { placeOf, readSource, type SkillAddress, type SourceSkill } from './read-source.ts';
import type { SkillLibrary } from './skill-library.ts';
import type { PinnedOrigin } from './skill-pins.ts';
import type { SkillPlaces } from './skill-places.ts';

/** The facts a person sees before approving. */
export interface SourceInspection {
  readonly skill: SourceSkill;
  /** Where one of this name is installed. */
  readonly installed: readonly PinnedOrigin[];
}

/**
 * A person's changes of skills [SK2]: install, pin, remove, create. Only clients reach it; no tool
 * or agent receives this object. Each approval is bound to the hash of what was shown, and is in
 * the audit log before it takes effect.
 */
export class SkillService {
  readonly #places: SkillPlaces;
  readonly #library: SkillLibrary;
  readonly #pins: Pins;
  readonly #audit: AuditSink;
  readonly #clock: Clock;

  constructor(parts: {
    readonly places: SkillPlaces;
    readonly library: SkillLibrary;
    readonly pins: Pins;
    readonly audit: AuditSink;
    readonly clock: Clock;
  }) {
    this.#places = parts.places;
    this.#library = parts.library;
    this.#pins = parts.pins;
    this.#audit = parts.audit;
    this.#clock = parts.clock;
  }

  /**
   * Describes the installation of a folder or an archive. Writes nothing.
   *
   * @throws BulkheadError `usage`, `blocked`, `config_invalid` for a source that can't be installed
   */
  async inspect(address: SkillAddress): Promise<SourceInspection> {
    const skill = await readSource(address);
    const { name } = skill.manifest;
    return {
      skill,
      installed: (['profile', 'global'] as const).filter((origin) => this.#isThere(origin, name)),
    };
  }

  /**
   * Installs and pins what the person saw.
   *
   * @param hash as inspected
   * @returns where its `SKILL.md` is now
   * @throws BulkheadError `blocked` if the source isn't like that any more
   */
  async install(
    address: SkillAddress,
    hash: string,
    origin: PinnedOrigin,
  ): Promise<{ readonly location: string; readonly replaced: boolean }> {
    const skill = await readSource(address);
    if (skill.hash !== hash) throw changed(`what is at ${placeOf(address)}`, 'install');
    const { name } = skill.manifest;
    const { fetchedFrom } = address;
    const from = fetchedFrom === '' ? {} : { fetchedFrom };
    await this.#note('SKILL_INSTALLED', { name, origin, hash, files: skill.files.files.length, ...from });
    const replaced = writeSkillFolder(this.#places[origin], name, skill.files);
    // Last: a crash in between leaves an unconfirmed skill.
    this.#pins.set({ origin, name, hash, pinnedAt: this.#clock.now(), ...from });
    return { location: this.#locationOf(origin, name), replaced };
  }

  /**
   * Confirms a skill that was put in its place by hand, or has changed there.
   *
   * @param hash as shown
   * @throws BulkheadError `not_found`; `blocked` if it isn't like that any more; `usage` while it is still to be filled in
   */
  async pin(name: string, hash: string, origin: PinnedOrigin): Promise<void> {
    const skill = this.#library.readOwn(origin, name);
    if (skill === undefined) throw notThere(name, origin);
    if (skill.hash !== hash) throw changed(`skill ${name}`, 'pin');
    const line = lineToFillIn(skill.files.get(SKILL_FILE)?.bytes ?? new Uint8Array());
    if (line !== undefined) throw notFilledIn(`${this.#locationOf(origin, name)}:${line}`);
    await this.#note('SKILL_PINNED', { name, origin, hash });
    this.#pins.set({ origin, name, hash, pinnedAt: this.#clock.now() });
  }

  /** Takes a skill and its pin away, also one that can't be read. @returns false if there was none */
  async remove(name: string, origin: PinnedOrigin): Promise<boolean> {
    requireName(name);
    if (!this.#isThere(origin, name) && builtInSkills().some(({ manifest }) => manifest.name === name)) {
      throw new BulkheadError('usage', `skill ${name} is built in and is not removed`, {
        fix: 'A skill of your own with that name takes its place.',
      });
    }
    await this.#note('SKILL_REMOVED', { name, origin });
    this.#pins.remove(origin, name);
    return removeSkillFolder(this.#places[origin], name);
  }

  /**
   * Begins a skill, to be filled in. It is not pinned: its text is not yet anybody's.
   *
   * @returns where its `SKILL.md` is
   * @throws BulkheadError `usage` for a name that is taken or can't be one
   */
  create(name: string, origin: PinnedOrigin): string {
    requireName(name);
    if (this.#isThere(origin, name)) throw taken(name);
    const files = scaffoldSkill(name);
    skillOf(files, name, name);
    writeSkillFolder(this.#places[origin], name, files);
    return this.#locationOf(origin, name);
  }

  #isThere(origin: PinnedOrigin, name: string): boolean {
    try {
      return this.#library.readOwn(origin, name) !== undefined;
    } catch {
      // Something that can't be used stands there.
      return true;
    }
  }

  #locationOf(origin: PinnedOrigin, name: string): string {
    return `${this.#places[origin]}/${name}/${SKILL_FILE}`;
  }

  #note(
    step: 'SKILL_INSTALLED' | 'SKILL_PINNED' | 'SKILL_REMOVED',
    details: Readonly<Record<string, string | number>>,
  ): Promise<unknown> {
    return this.#audit.append([{ step, action: '', hash: '', session: '', tool: '', details }]);
  }
}

function notFilledIn(place: string): BulkheadError {
  return new BulkheadError('usage', `${place} is still as \`skill new\` made it: nothing to follow yet`, {
    fix: 'Say there what the skill is for and how it is done, then pin it.',
  });
}

function taken(name: string): BulkheadError {
  return new BulkheadError('usage', `there is a skill ${name} already`, {
    fix: `See \`bulkhead skill show ${name}\`; choose another name, or take it away with \`bulkhead skill remove ${name}\`.`,
  });
}

function requireName(name: string): void {
  if (isSkillName(name)) return;
  throw new BulkheadError('usage', `${JSON.stringify(name.slice(0, 80))} can't be the name of a skill`, {
    fix: 'Use 1 to 64 of a-z, 0-9 and single hyphens, and not "knowledge".',
  });
}

function notThere(name: string, origin: PinnedOrigin): BulkheadError {
  const where = origin === 'global' ? ' for all profiles' : '';
  return new BulkheadError('not_found', `there is no skill ${JSON.stringify(name)} installed${where}`, {
    fix: 'See `bulkhead skill list`.',
  });
}

function changed(what: string, verb: string): BulkheadError {
  return new BulkheadError('blocked', `${what} changed after it was shown: nothing was done`, {
    fix: `Look at it again: bulkhead skill ${verb}`,
  });
}
