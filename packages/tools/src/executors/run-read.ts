import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { type Descriptor, failed, fileError, sameVersion } from '@bulkhead/files';
import { breathe } from '../breathe.ts';
import { success, type WorkerContext } from '../definitions/worker-tool.ts';
import { fileVersion } from '../files/file-versions.ts';
import type { GrantedFiles } from '../files/granted-files.ts';
import type { Location } from '../files/location.ts';
import { openFileForReading } from '../files/open-file.ts';
import { LinePage } from './line-page.ts';
import { readingTool } from './reading-tool.ts';

interface ReadArguments {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
}

const CHUNK_BYTES = 256 * 1024;
/** Up to this size a file is read whole, for its hash and its count of lines. */
const MAX_SCANNED_BYTES = 64 * 1024 * 1024;

interface FileToRead extends Disposable {
  readonly location: Location;
  readonly file: Descriptor;
}

export const runRead = readingTool<ReadArguments, FileToRead>({
  open: ({ path }, { files }) => openFile(path, files),
  look: readPage,
  describe: ({ offset, limit }, { location, file }) =>
    `read ${location.shown} (${file.stat().size} bytes), at most ${limit} lines from line ${offset}`,
});

async function openFile(path: string, files: GrantedFiles): Promise<FileToRead> {
  using guard = new DisposableStack();
  const location = guard.use(await files.locateReadable(path));
  const file = guard.use(openFileForReading(location, 'use ls'));
  const held = guard.move();
  return { location, file, [Symbol.dispose]: () => held.dispose() };
}

async function readPage(
  args: ReadArguments,
  { location, file }: FileToRead,
  { versions }: WorkerContext,
  signal: AbortSignal,
) {
  const before = file.stat();
  const page = new LinePage(args.offset, args.limit);
  const scan = await scanFile(file, page, location.shown, signal);
  // A file that changed during the scan is remembered as unknown, so the next write must read it
  // again.
  const steady = sameVersion(before, file.stat());
  versions.remember(location.key, fileVersion(before, steady ? scan.hash : undefined));
  if (scan.binary !== undefined) return success(scan.binary);
  if (scan.bytes === 0) return success('[empty file]');
  if (page.lines.length === 0) {
    throw failed(
      location.shown,
      `has ${count(page, scan.whole)} lines; offset ${args.offset} is past the end`,
    );
  }
  const text = page.lines.map((line) => line.toString('utf8')).join('\n');
  const shown = args.offset === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
  const odd = text.includes('\uFFFD') ? ['[bytes that are not UTF-8 are shown as \uFFFD]'] : [];
  const notices = [...odd, ...pageNotices(args.offset, page, scan.whole)];
  return success([shown, ...notices].join('\n'));
}

interface Scan {
  readonly bytes: number;
  /** False if the file continues after the read part. */
  readonly whole: boolean;
  readonly hash: string | undefined;
  readonly binary: string | undefined;
}

async function scanFile(file: Descriptor, page: LinePage, shown: string, signal: AbortSignal): Promise<Scan> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  let binary: string | undefined;
  while (bytes < MAX_SCANNED_BYTES) {
    const got = readChunk(file, chunk, shown);
    if (got.length === 0) {
      page.finish();
      return { bytes, whole: true, hash: hash.digest('hex'), binary };
    }
    if (bytes === 0) binary = describeBinary(got, file.stat().size);
    bytes += got.length;
    hash.update(got);
    page.add(got);
    if (bytes > CHUNK_BYTES) await breathe(signal);
  }
  page.finish();
  return { bytes, whole: false, hash: undefined, binary };
}

function readChunk(file: Descriptor, chunk: Buffer, shown: string): Buffer {
  try {
    return chunk.subarray(0, readSync(file.fd, chunk));
  } catch (error) {
    throw fileError(error, shown);
  }
}

function pageNotices(first: number, page: LinePage, whole: boolean): string[] {
  const last = first + page.lines.length - 1;
  const cut = page.cut;
  const notices = cut === undefined ? [] : [`[line ${cut.line} is cut: it has ${cut.bytes} bytes]`];
  const more = last < page.total || !whole;
  if (more)
    return [
      ...notices,
      `[lines ${first}-${last} of ${count(page, whole)}; continue with offset=${last + 1}]`,
    ];
  return first === 1 ? notices : [...notices, `[lines ${first}-${last} of ${count(page, whole)}]`];
}

function count(page: LinePage, whole: boolean): string {
  return whole ? String(page.total) : `more than ${page.total}`;
}

const SNIFFED_BYTES = 8_192;

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['89504e47', 'PNG image'],
  ['ffd8ff', 'JPEG image'],
  ['47494638', 'GIF image'],
  ['25504446', 'PDF document'],
  ['504b0304', 'ZIP archive'],
  ['1f8b', 'gzip archive'],
  ['28b52ffd', 'Zstandard archive'],
  ['fd377a585a', 'xz archive'],
  ['7f454c46', 'ELF program'],
  ['0061736d', 'WebAssembly module'],
  ['53514c69746520666f726d6174', 'SQLite database'],
  ['fffe', 'UTF-16 text'],
  ['feff', 'UTF-16 text'],
];

/**
 * A text file has no NUL; a file with one near its start is described instead of shown.
 * @param start first bytes of the file
 * @returns undefined for text
 */
function describeBinary(start: Buffer, size: bigint): string | undefined {
  const sample = start.subarray(0, SNIFFED_BYTES);
  const hex = sample.subarray(0, 16).toString('hex');
  const known = SIGNATURES.find(([signature]) => hex.startsWith(signature))?.[1];
  if (!sample.includes(0) && known !== 'PDF document') return undefined;
  return `[binary file, ${size} bytes${known === undefined ? '' : `, ${known}`}; its bytes are not shown]`;
}
