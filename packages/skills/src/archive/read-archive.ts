import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { FileSet, refused, SKILL_LIMITS } from '../files/file-set.ts';
import { SKILL_FILE } from '../skill-manifest.ts';
import { readTar } from './tar.ts';
import { readZip } from './zip.ts';

/** Headers and padding of the files a skill may have, beside their bytes. */
const MAX_TAR = SKILL_LIMITS.bytes + SKILL_LIMITS.files * 2_048;

/** Largest archive, in bytes. */
export const MAX_ARCHIVE = MAX_TAR;

/** More than plain text ever compresses: such an archive is made to fill a disk. */
const MAX_RATIO = 200;

const unzip = promisify(gunzip);

/**
 * Returns the files of a `.tar`, `.tar.gz` or `.zip` archive, detected by its first bytes. Reads it
 * into memory and accepts it as a whole before anything is written: no name reaches a disk
 * unchecked (FT66).
 *
 * @returns the skill's files, without a single folder around them all
 * @throws BulkheadError `blocked`
 */
export async function readArchive(bytes: Buffer): Promise<FileSet> {
  if (bytes.length > MAX_ARCHIVE)
    throw refused(`an archive larger than ${Math.floor(MAX_ARCHIVE / 1024 / 1024)} MiB`);
  const isZip = bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04'));
  if (isZip) return withoutTop(readZip(bytes));
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const tar = isPacked ? await unpacked(bytes) : bytes;
  // A tar file has header blocks of 512 bytes, and two at the end: anything shorter, or without a
  // valid first header, is not one.
  if (!looksLikeTar(tar)) throw refused('it is no archive of a kind that is known (.tar, .tar.gz, .zip)');
  return withoutTop(readTar(tar));
}

function looksLikeTar(bytes: Buffer): boolean {
  if (bytes.length < 512) return false;
  const sum = bytes.subarray(148, 156).toString('latin1').replaceAll('\0', ' ').trim();
  return bytes.subarray(257, 262).equals(Buffer.from('ustar')) || /^[0-7]+$/.test(sum);
}

async function unpacked(bytes: Buffer): Promise<Buffer> {
  const most = Math.min(MAX_TAR, Math.max(bytes.length * MAX_RATIO, 1024 * 1024));
  try {
    return await unzip(bytes, { maxOutputLength: most });
  } catch (cause) {
    throw refused('the archive is damaged, or unpacks to more than a skill may have', cause);
  }
}

function withoutTop(files: FileSet): FileSet {
  const [first] = files.files;
  const top = first?.path.split('/')[0] ?? '';
  const below = `${top}/`;
  if (files.get(SKILL_FILE) !== undefined || !files.files.every(({ path }) => path.startsWith(below)))
    return files;
  const stripped = new FileSet();
  for (const file of files.files) stripped.add({ ...file, path: file.path.slice(below.length) });
  return stripped;
}
