import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { constants, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { putFileSync } from '@bulkhead/files';
import { isForBoxes } from './harmless-git-settings.ts';
import { type GitSetting, readGitConfig, writeGitSetting } from './read-git-config.ts';

/** Longest file that is read. */
const MAX_BYTES = 512 * 1024;
/** Files that are read, with those that are included. */
const MAX_FILES = 20;
/** Characters that git's own patterns give a meaning. */
const PATTERN = /[*?[\\]/;

interface Surroundings {
  /** Of the person, absolute. */
  readonly home: string;
  /** `XDG_CONFIG_HOME`, if it is set. */
  readonly settings: string | undefined;
  readonly workingFolder: string;
}

/**
 * Prepares the harmless part of the person's git configuration for a box: name, e-mail address,
 * behaviour and aliases without programs (`isForBoxes`), and the ignored names. Never credentials,
 * never what runs a program. Git in the box reads it in place of the system's configuration, so that
 * the settings of a repository precede it.
 *
 * @param environment of the engine
 * @param store absolute folder of such files, which never change once they exist
 * @returns an absolute folder with a file `config`; undefined if the person has no such settings,
 *   or if they could not be written
 */
export async function boxGitSettings(
  environment: Readonly<Record<string, string | undefined>>,
  store: string,
  workingFolder: string,
): Promise<string | undefined> {
  const { HOME: home, XDG_CONFIG_HOME: settings } = environment;
  // The box hides the folder of Bulkhead's home.
  if (home?.startsWith('/') !== true || store.startsWith(`${workingFolder}/`)) return undefined;
  const around = { home, settings: settings?.startsWith('/') === true ? settings : undefined, workingFolder };
  const found = await readAll(around);
  const ignored = await textAt(ignoreFile(found, around));
  const kept = found.filter(isForBoxes).map(writeGitSetting).join('');
  if (kept === '' && ignored === undefined) return undefined;
  const digest = createHash('sha256')
    .update(JSON.stringify([kept, ignored]))
    .digest('hex')
    .slice(0, 32);
  return put(`${store}/${digest}`, kept, ignored);
}

function put(folder: string, kept: string, ignored: string | undefined): string | undefined {
  try {
    if (existsSync(`${folder}/config`)) return folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = { section: 'core', subsection: undefined, name: 'excludesfile', value: `${folder}/ignore` };
    if (ignored !== undefined) putFileSync(names.value, ignored);
    putFileSync(`${folder}/config`, `${kept}${ignored === undefined ? '' : writeGitSetting(names)}`);
    return folder;
  } catch {
    return undefined;
  }
}

/** In git's order: later values replace earlier ones. */
async function readAll(around: Surroundings): Promise<readonly GitSetting[]> {
  const files = { left: MAX_FILES };
  const found: GitSetting[] = [];
  for (const path of ['/etc/gitconfig', `${ownFolder(around)}/config`, `${around.home}/.gitconfig`])
    found.push(...(await readOne([path], around, files)));
  return found;
}

/** @param path of the file, and of those that include it */
async function readOne(
  [path = '', ...within]: readonly string[],
  around: Surroundings,
  files: { left: number },
): Promise<readonly GitSetting[]> {
  files.left -= 1;
  const text = files.left < 0 ? undefined : await textAt(path);
  const found: GitSetting[] = [];
  for (const setting of readGitConfig(text ?? '').settings) {
    found.push(setting);
    const included = includedBy(setting, dirname(path), around);
    if (included === undefined || included === path || within.includes(included)) continue;
    found.push(...(await readOne([included, path, ...within], around, files)));
  }
  return found;
}

/** Of the conditions, only folders without patterns are known: `includeIf "gitdir:~/projects/"`. */
function includedBy(setting: GitSetting, folder: string, around: Surroundings): string | undefined {
  const { section, subsection, name, value } = setting;
  if (name !== 'path' || value === undefined || value === '') return undefined;
  const isMet =
    (section === 'include' && subsection === undefined) ||
    (section === 'includeif' && isWithin(subsection ?? '', folder, around));
  return isMet ? absolute(value, folder, around) : undefined;
}

function isWithin(condition: string, folder: string, around: Surroundings): boolean {
  const [, ignoreCase, pattern = ''] = /^gitdir(\/i)?:(.*)$/su.exec(condition) ?? [];
  if (!/^(?:~\/|\.\/|\/)/.test(pattern) || PATTERN.test(pattern)) return false;
  const fold = (text: string) => (ignoreCase === undefined ? text : text.toLowerCase());
  const wanted = fold(absolute(pattern.replace(/^\.\//, ''), folder, around));
  const present = fold(`${around.workingFolder}/.git`);
  return wanted.endsWith('/') ? present.startsWith(wanted) : present === wanted;
}

function absolute(path: string, folder: string, { home }: Surroundings): string {
  if (path.startsWith('~/')) return `${home}/${path.slice(2)}`;
  return path.startsWith('/') ? path : `${folder}/${path}`;
}

function ownFolder({ home, settings }: Surroundings): string {
  return `${settings ?? `${home}/.config`}/git`;
}

function ignoreFile(found: readonly GitSetting[], around: Surroundings): string {
  const named = found.findLast(({ section, name }) => section === 'core' && name === 'excludesfile')?.value;
  return named === undefined || named === ''
    ? `${ownFolder(around)}/ignore`
    : absolute(named, around.home, around);
}

/**
 * The text of one of the person's files; links are followed, since people keep such files elsewhere.
 *
 * @returns undefined if it is missing, no plain file, too large or no UTF-8
 */
async function textAt(path: string): Promise<string | undefined> {
  try {
    // A pipe in its place must not block.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.readFile());
  } catch {
    return undefined;
  }
}
