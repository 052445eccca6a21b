import { Descriptor, fileError, systemCode } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import {
  MAX_ARCHIVE,
  NOT_OF_A_SKILL,
  readArchive,
  readSkillFolder,
  SKILL_FILE,
  type Skill,
  showOnOneLine,
  skillOf,
} from '@bulkhead/skills';

/** The contents of a folder or an archive. */
export interface SourceSkill extends Skill {
  /** Parts of the source outside the skill, and why. */
  readonly leftOut: readonly string[];
}

/** Where a skill that is to be installed lies. */
export interface SkillAddress {
  /** Absolute path of a folder or of an archive; the last name of it is no link. */
  readonly source: string;
  /** Address that a client fetched it from; empty if it was on this machine. */
  readonly fetchedFrom: string;
}

/** Longest address that is kept. */
const MAX_ADDRESS = 6_000;

const SOURCES = 'Give a folder, an archive (.tar, .tar.gz, .zip) or the address of a git repository.';

/**
 * Reads a skill from where a person says it lies. Everything is in memory when it is judged, and stays there: what is shown,
 * hashed and installed is the same.
 *
 * @throws BulkheadError `usage` for what is neither; `blocked`, `config_invalid` for what is no skill
 */
export async function readSource(address: SkillAddress): Promise<SourceSkill> {
  const { source } = address;
  const shown = placeOf(address);
  if (!source.startsWith('/')) throw new BulkheadError('usage', `${shown} is no absolute path`);
  try {
    using entry = Descriptor.ofTrustedFile(source);
    const stat = entry.stat();
    if (stat.isDirectory()) {
      const files = readSkillFolder(entry, NOT_OF_A_SKILL);
      return { ...skillOf(files, shown), leftOut: leftOut(entry) };
    }
    if (!stat.isFile())
      throw new BulkheadError('usage', `${shown} is neither a folder nor an archive`, { fix: SOURCES });
    const files = await readArchive(contentOf(entry, shown));
    if (files.get(SKILL_FILE) === undefined) {
      throw new BulkheadError(
        'config_invalid',
        `${shown} holds no ${SKILL_FILE} at its top or in its only folder`,
        { fix: `A skill is a folder with a ${SKILL_FILE}: see docs/skills.md.` },
      );
    }
    return { ...skillOf(files, shown), leftOut: [] };
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(cause) ?? '')) {
      throw new BulkheadError('usage', `${shown} does not exist`, { cause, fix: SOURCES });
    }
    throw fileError(cause, shown);
  }
}

/**
 * How messages name it.
 *
 * @throws BulkheadError `usage` for an address that can't be shown as it is
 */
export function placeOf({ source, fetchedFrom }: SkillAddress): string {
  if (fetchedFrom === '') return showOnOneLine(source).text;
  if (fetchedFrom.length <= MAX_ADDRESS && showOnOneLine(fetchedFrom).text === fetchedFrom)
    return fetchedFrom;
  throw new BulkheadError('usage', 'the address a skill was fetched from is too long, or not plain text');
}

function contentOf(entry: Descriptor, shown: string): Buffer {
  const bytes = entry.stat().size > MAX_ARCHIVE ? undefined : readAll(entry);
  if (bytes !== undefined) return bytes;
  throw new BulkheadError('blocked', `${shown} is larger than an archive of a skill may be`, {
    fix: 'Unpack it, and install the folder of the skill alone.',
  });
}

function readAll(entry: Descriptor): Buffer | undefined {
  using content = entry.openContent();
  return content.readUpTo(Number(entry.stat().size));
}

function leftOut(folder: Descriptor): string[] {
  return [...NOT_OF_A_SKILL]
    .filter((name) => has(folder, name))
    .map((name) => `${name} (of a version control system)`);
}

function has(folder: Descriptor, name: string): boolean {
  try {
    using _entry = Descriptor.ofEntry(folder, Buffer.from(name));
    return true;
  } catch {
    return false;
  }
}
