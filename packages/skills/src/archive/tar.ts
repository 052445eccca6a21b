import { FileSet, nameIn, refused, shown } from '../files/file-set.ts';

const BLOCK = 512;

/** Longest name in an extra header (pax, GNU): far more than a path may have. */
const MAX_LONG_NAME = 8 * 1024;

/** Entries of any kind, including folders and long names. */
const MAX_ENTRIES = 8_000;

/**
 * Returns the files of a tar archive (ustar, pax and GNU long names). Folders exist only through
 * their files. Anything but plain files and folders refuses the whole archive: links, devices,
 * sparse files, unknown kinds.
 *
 * @throws BulkheadError `blocked`
 */
export function readTar(archive: Uint8Array): FileSet {
  const files = new FileSet();
  let longName: string | undefined;
  let entries = 0;
  for (let at = 0; at + BLOCK <= archive.byteLength; ) {
    const header = archive.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return files;
    entries += 1;
    if (entries > MAX_ENTRIES) throw refused('the archive has too many entries');
    checkSum(header);
    const size = number(header.subarray(124, 136));
    const begin = at + BLOCK;
    if (begin + size > archive.byteLength) throw refused('the archive ends in the middle of a file');
    const content = archive.subarray(begin, begin + size);
    at = begin + Math.ceil(size / BLOCK) * BLOCK;
    const kind = String.fromCharCode(header[156] ?? 0);
    const extended = extendedName(kind, content);
    if (extended !== undefined) {
      longName = extended.name ?? longName;
      continue;
    }
    const path = longName ?? nameOf(header);
    longName = undefined;
    addEntry(files, kind, path, { mode: number(header.subarray(100, 108)), content });
  }
  return files;
}

function addEntry(
  files: FileSet,
  kind: string,
  path: string,
  { mode, content }: { readonly mode: number; readonly content: Uint8Array },
): void {
  const plain = path.replace(/^(?:\.\/)+/, '');
  // A folder: created through its files. Old archives mark one by the slash alone.
  if (kind === '5' || (isFile(kind) && plain.endsWith('/'))) {
    if (plain.split('/').includes('..') || plain.startsWith('/'))
      throw refused(`${shown(path)} does not stay in its folder`);
    return;
  }
  if (!isFile(kind)) throw refused(`${shown(path)} is neither a plain file nor a folder`);
  files.add({ path: plain, executable: (mode & 0o100) !== 0, bytes: Uint8Array.from(content) });
}

function isFile(kind: string): boolean {
  return kind === '0' || kind === '\0';
}

/** @returns undefined for an ordinary entry; else the name for the next one, if given */
function extendedName(kind: string, content: Uint8Array): { readonly name: string | undefined } | undefined {
  if (kind === 'L') return { name: longText(content).replace(/\0.*$/s, '') };
  if (kind === 'x') return { name: paxPath(longText(content)) };
  if (kind !== 'g') return undefined;
  // A global header applies to all later entries: only git's comments are harmless.
  if (paxRecords(longText(content)).some(([key]) => key !== 'comment'))
    throw refused('the archive has a global header');
  return { name: undefined };
}

function longText(content: Uint8Array): string {
  if (content.byteLength > MAX_LONG_NAME) throw refused('the archive has a header that is too long');
  return nameIn(content);
}

function paxPath(text: string): string | undefined {
  let path: string | undefined;
  for (const [key, value] of paxRecords(text)) {
    if (['size', 'linkpath'].includes(key) || key.startsWith('GNU.sparse'))
      throw refused(`the archive uses ${shown(key)}`);
    if (key === 'path') path = value;
  }
  return path;
}

/** Records `LENGTH KEY=VALUE\n`, each with its stated length in bytes. */
function paxRecords(text: string): (readonly [key: string, value: string])[] {
  const records: (readonly [string, string])[] = [];
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    const blank = rest.indexOf(' ');
    const length = Number(rest.subarray(0, Math.max(0, blank)).toString('latin1'));
    const record = rest.subarray(blank + 1, length - 1).toString();
    const equals = record.indexOf('=');
    if (!Number.isSafeInteger(length) || length <= blank + 1 || length > rest.length || equals < 1) {
      throw refused('the archive has a header that is not valid');
    }
    records.push([record.slice(0, equals), record.slice(equals + 1)]);
    rest = rest.subarray(length);
  }
  return records;
}

function nameOf(header: Uint8Array): string {
  const name = terminated(header.subarray(0, 100));
  const isUstar = nameIn(header.subarray(257, 262)) === 'ustar';
  // GNU archives store times in place of ustar's prefix.
  const isPosix = isUstar && header[262] === 0;
  const prefix = isPosix ? terminated(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function terminated(field: Uint8Array): string {
  const end = field.indexOf(0);
  return nameIn(end < 0 ? field : field.subarray(0, end));
}

/** Octal, as in every archive of an allowed size. */
function number(field: Uint8Array): number {
  const text = Buffer.from(field).toString('latin1').replaceAll('\0', ' ').trim();
  if (!/^[0-7]{0,11}$/.test(text)) throw refused('the archive has a number that is not valid');
  return text === '' ? 0 : Number.parseInt(text, 8);
}

function checkSum(header: Uint8Array): void {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 0x20 : byte;
  if (sum !== number(header.subarray(148, 156))) throw refused('the archive is damaged: a checksum is wrong');
}
