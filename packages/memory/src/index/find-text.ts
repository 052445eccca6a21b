import { type Clock, describeError } from '@bulkhead/protocol';
import { decodeText } from '../chunks/index.ts';
import type { MemoryNotice, Notices } from '../notice.ts';
import type { TermReader } from '../text/term-reader.ts';
import type { KnownText } from './index-writer.ts';
import type { FileText, GivenText, MemoryText } from './memory-text.ts';
import { type PreparedText, prepareChunks, sha256 } from './prepared-text.ts';
import { openTextFile } from './read-file.ts';

/** The state of a text compared with the index. */
export type FoundText =
  | { readonly kind: 'missing' | 'failed' | 'same' }
  /** Another time or version, the same content. */
  | { readonly kind: 'touched'; readonly version: string }
  | { readonly kind: 'changed'; readonly text: PreparedText };

/** The dependencies of the comparison. */
export interface FindPorts {
  readonly notices: Notices;
  readonly clock: Clock;
  readonly terms: TermReader;
  /** Most bytes of a text that are indexed. */
  readonly textCap: number;
}

/**
 * Checks a text, reads it if it may have changed, and prepares it if it did. Never throws: reports
 * unreadable texts.
 */
export async function findText(
  ports: FindPorts,
  text: MemoryText,
  known: KnownText | undefined,
): Promise<FoundText> {
  try {
    const found = 'folder' in text ? await findFile(ports, text, known) : await findGiven(ports, text, known);
    ports.notices.forget('text_unreadable', text.path);
    return found;
  } catch (error) {
    tell(
      ports,
      'text_unreadable',
      text.path,
      `can't be read (${describeError(error)}): its earlier content stays in the index`,
    );
    return { kind: 'failed' };
  }
}

async function findFile(ports: FindPorts, text: FileText, known: KnownText | undefined): Promise<FoundText> {
  using file = openTextFile(text, ports.clock.now());
  if (file === undefined) return { kind: 'missing' };
  if (file.version !== '' && known?.version === file.version && known.source === text.source)
    return { kind: 'same' };
  const { bytes, whole, steady } = await file.read(ports.textCap);
  const { text: content, replaced } = decodeText(bytes, !whole);
  const cap =
    ports.textCap < 1024 * 1024
      ? `${Math.round(ports.textCap / 1024)} KiB`
      : `${Math.round(ports.textCap / 1024 / 1024)} MiB`;
  note(ports, 'text_cut', text.path, !whole, `is larger than ${cap}: memory does not find the rest`);
  note(ports, 'text_not_utf8', text.path, replaced, 'has bytes that are no UTF-8: they are shown as \ufffd');
  note(
    ports,
    'text_changing',
    text.path,
    !steady,
    'changes all the time: it is indexed as it was, and again later',
  );
  // A file that changed while it was read is checked again, whatever its times are.
  return await prepare(ports, text, steady ? file.version : '', sha256(bytes), content, known);
}

async function findGiven(
  ports: FindPorts,
  text: GivenText,
  known: KnownText | undefined,
): Promise<FoundText> {
  if (known?.version === text.version && known.source === text.source) return { kind: 'same' };
  const given = await text.read();
  const most = ports.textCap;
  const content = given.slice(0, most).toWellFormed().replaceAll('\0', '\ufffd');
  note(ports, 'text_cut', text.path, given.length > most, 'is very long: memory does not find the rest');
  return await prepare(ports, text, text.version, sha256(content), content, known);
}

async function prepare(
  { terms }: FindPorts,
  { source, path }: MemoryText,
  version: string,
  hash: Buffer,
  content: string,
  known: KnownText | undefined,
): Promise<FoundText> {
  if (known?.source === source && hash.equals(known.hash)) return { kind: 'touched', version };
  return {
    kind: 'changed',
    text: { source, path, version, hash, chunks: await prepareChunks(content, path, terms) },
  };
}

function note(ports: FindPorts, code: MemoryNotice['code'], path: string, is: boolean, what: string): void {
  if (is) tell(ports, code, path, what);
  else ports.notices.forget(code, path);
}

function tell({ notices }: FindPorts, code: MemoryNotice['code'], path: string, what: string): void {
  notices.tell({ code, path, text: `${path} ${what}.` });
}
