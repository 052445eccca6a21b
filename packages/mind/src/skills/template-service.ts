import { BulkheadError } from '@bulkhead/protocol';
import { expandTemplate, parseTemplate, type Template, TextFolder } from '@bulkhead/skills';
import { type FolderTrust, folderTexts } from './folder-texts.ts';
import { FOLDER_TEMPLATES } from './skill-places.ts';

/** A template as it is listed. */
export interface ListedTemplate extends Template {
  readonly origin: 'profile' | 'folder';
}

/** Prompt templates of the profile and of a trusted working folder; the folder's are nearer [SK3]. */
export class TemplateService {
  readonly #profile: TextFolder<Template>;
  readonly #trust: FolderTrust;

  /** @param parts.place folder of the profile's templates */
  constructor(parts: { readonly place: string; readonly trust: FolderTrust }) {
    this.#profile = new TextFolder(parts.place, parseTemplate);
    this.#trust = parts.trust;
  }

  /**
   * Those in force, by name.
   *
   * @param folder working folder, resolved; empty for none
   */
  async list(
    folder: string,
  ): Promise<{ readonly templates: readonly ListedTemplate[]; readonly warnings: readonly string[] }> {
    const profile = this.#profile.read();
    const near = await folderTexts(this.#trust, folder, FOLDER_TEMPLATES, parseTemplate);
    const byName = new Map<string, ListedTemplate>();
    for (const template of profile.texts) byName.set(template.name, { ...template, origin: 'profile' });
    for (const template of near.texts) byName.set(template.name, { ...template, origin: 'folder' });
    const templates = [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return { templates, warnings: [...profile.warnings, ...near.warnings] };
  }

  /**
   * The message a template makes of its arguments.
   *
   * @param given what was typed after its name
   * @throws BulkheadError `not_found`; `usage` for arguments that are missing or too long
   */
  async expand(name: string, given: string, folder: string): Promise<string> {
    const { templates } = await this.list(folder);
    const template = templates.find((one) => one.name === name);
    if (template !== undefined) return expandTemplate(name, template.text, given);
    const names = templates.map((one) => `/${one.name}`).join(', ');
    throw new BulkheadError('not_found', `there is no template ${JSON.stringify(name)}`, {
      fix: names === '' ? 'Put one into templates/NAME.md of your profile.' : `There are: ${names}.`,
    });
  }
}
