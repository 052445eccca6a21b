import { BulkheadError } from '@bulkhead/protocol';
import { FileSet, plainName, type Skill, skillOf } from '@bulkhead/skills';
import type { TrustStore } from '../trust/trust-store.ts';
import type { TrustedFile } from '../trust/trusted-file.ts';
import { FOLDER_SKILLS } from './skill-places.ts';

/** How a folder's own bytes are reached. */
export type FolderTrust = Pick<TrustStore, 'trustOf' | 'readTrusted'>;

/** The texts read from the files of one folder. */
export interface FolderTexts<Text> {
  readonly texts: readonly Text[];
  readonly warnings: readonly string[];
}

/**
 * The skills of a working folder, if a person trusts it: their bytes are those that the person confirmed. Of any other folder
 * nothing is opened.
 *
 * @param folder resolved
 */
export async function folderSkills(trust: FolderTrust, folder: string): Promise<FolderTexts<Skill>> {
  const files = await trustedFiles(trust, folder, FOLDER_SKILLS);
  const byName = Map.groupBy(files, ({ path }) => path.slice(FOLDER_SKILLS.length).split('/')[0] ?? '');
  return await eachOf([...byName], async ([name, own]) => {
    const place = `${folder}/${FOLDER_SKILLS}${name}`;
    const set = new FileSet();
    for (const { path } of own) {
      const below = path.slice(FOLDER_SKILLS.length + name.length + 1);
      // A file beside the folders of skills is none.
      if (below === '') return undefined;
      set.add({ path: below, executable: false, bytes: await trust.readTrusted(folder, path) });
    }
    return skillOf(set, place, name);
  });
}

/**
 * The `NAME.md` files of one folder below a trusted working folder.
 *
 * @param below with a slash at its end
 */
export async function folderTexts<Text>(
  trust: FolderTrust,
  folder: string,
  below: string,
  parse: (name: string, bytes: Uint8Array, fileName: string) => Text,
): Promise<FolderTexts<Text>> {
  const files = await trustedFiles(trust, folder, below);
  const own = files.filter(({ path }) => /^[^/]+\.md$/.test(path.slice(below.length)));
  return await eachOf(own, async ({ path }) => {
    const fileName = `${folder}/${path}`;
    const name = plainName(path.slice(below.length), fileName);
    return parse(name, await trust.readTrusted(folder, path), fileName);
  });
}

async function trustedFiles(
  trust: FolderTrust,
  folder: string,
  below: string,
): Promise<readonly TrustedFile[]> {
  if (folder === '') return [];
  const state = await trust.trustOf(folder);
  return state.state === 'trusted' ? state.files.filter(({ path }) => path.startsWith(below)) : [];
}

async function eachOf<Given, Text>(
  given: readonly Given[],
  make: (one: Given) => Promise<Text | undefined>,
): Promise<FolderTexts<Text>> {
  const texts: Text[] = [];
  const warnings: string[] = [];
  for (const one of given) {
    try {
      const text = await make(one);
      if (text !== undefined) texts.push(text);
    } catch (cause) {
      warnings.push(BulkheadError.from(cause).message);
    }
  }
  return { texts, warnings };
}
