import { create } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import { SkillStanding, type SkillText, SkillTextSchema } from '@bulkhead/protocol/agent';
import { type KnowledgeFile, SKILL_FILE, showHidden, type TextFolder } from '@bulkhead/skills';
import type { ReadSkill, SkillLibrary } from './skill-library.ts';

/** Longest text that is delivered, in characters: about 12,000 tokens. */
const MAX_DELIVERED = 48_000;

/** Most file names listed. */
const MAX_FILES_TOLD = 100;

/** The prefix of names of knowledge files. */
export const KNOWLEDGE = 'knowledge/';

const NOT_IN_FORCE = {
  pinned: '',
  unpinned: 'it is not confirmed yet: the person does so with `bulkhead skill pin`',
  changed: 'it is not what the person confirmed, so it does not count as guidance any more',
} as const;

/**
 * The texts that `load_skills` gives, by name: `NAME` of a skill, `NAME/FILE` of a skill, `knowledge/NAME`. A name is looked up
 * among what was found; none of it ever becomes a path.
 */
export class SkillTexts {
  readonly #library: Pick<SkillLibrary, 'read'>;
  readonly #knowledge: Pick<TextFolder<KnowledgeFile>, 'read'>;
  readonly #folder: string;

  /** @param parts.folder working folder, resolved */
  constructor(parts: {
    readonly library: Pick<SkillLibrary, 'read'>;
    readonly knowledge: Pick<TextFolder<KnowledgeFile>, 'read'>;
    readonly folder: string;
  }) {
    this.#library = parts.library;
    this.#knowledge = parts.knowledge;
    this.#folder = parts.folder;
  }

  /** @returns undefined if no text has this name. An unusable one gives the reason */
  async get(name: string): Promise<SkillText | undefined> {
    if (name.startsWith(KNOWLEDGE)) return this.#knowledgeText(name);
    const slash = name.indexOf('/');
    const own = slash < 0 ? name : name.slice(0, slash);
    try {
      const skill = await this.#library.read(own, this.#folder);
      if (skill === undefined) return undefined;
      return slash < 0 ? bodyOf(skill) : fileOf(skill, name, name.slice(slash + 1));
    } catch (cause) {
      const remark = `it can't be used: ${BulkheadError.from(cause).message}`;
      return create(SkillTextSchema, { name, remark });
    }
  }

  #knowledgeText(name: string): SkillText | undefined {
    const own = this.#knowledge.read().texts.find((text) => text.name === name.slice(KNOWLEDGE.length));
    if (own === undefined) return undefined;
    const { body, remarks } = bounded(own.text, own.hidden);
    return create(SkillTextSchema, {
      name,
      body,
      standing: SkillStanding.REFERENCE,
      remark: remarks.join('; '),
    });
  }
}

function bodyOf(skill: ReadSkill): SkillText {
  const { manifest, listed, files } = skill;
  const { body, remarks } = bounded(manifest.body, manifest.hidden);
  return create(SkillTextSchema, {
    name: manifest.name,
    body,
    standing: standingOf(skill),
    remark: [NOT_IN_FORCE[listed.state], ...remarks].filter(Boolean).join('; '),
    files: files.files
      .map(({ path }) => path)
      .filter((path) => path !== SKILL_FILE)
      .slice(0, MAX_FILES_TOLD),
  });
}

function fileOf(skill: ReadSkill, name: string, path: string): SkillText | undefined {
  const file = skill.files.get(path);
  if (file === undefined) return undefined;
  const text = textOf(file.bytes);
  if (text === undefined) return create(SkillTextSchema, { name, remark: 'it is no text' });
  const shown = showHidden(text);
  const { body, remarks } = bounded(shown.text, shown.hidden);
  const remark = [NOT_IN_FORCE[skill.listed.state], ...remarks].filter(Boolean).join('; ');
  return create(SkillTextSchema, { name, body, standing: standingOf(skill), remark });
}

function standingOf({ listed }: ReadSkill): SkillStanding {
  return listed.state === 'pinned' ? SkillStanding.GUIDANCE : SkillStanding.UNSPECIFIED;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function bounded(
  text: string,
  hidden: number,
): { readonly body: string; readonly remarks: readonly string[] } {
  const remarks = hidden === 0 ? [] : [`${hidden} invisible characters in it are shown as [U+…]`];
  if (text.length <= MAX_DELIVERED) return { body: text, remarks };
  const body = text.slice(0, MAX_DELIVERED).replace(/[\ud800-\udbff]$/, '');
  return { body, remarks: [...remarks, `cut after ${MAX_DELIVERED} of ${text.length} characters`] };
}
