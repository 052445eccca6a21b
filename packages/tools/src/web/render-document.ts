import type { PageLink } from './page-links.ts';
import { pageText } from './page-text.ts';
import { visibleOnly } from './text-writer.ts';

export interface DocumentToRender {
  /** The header as received; empty if missing. */
  readonly contentType: string;
  /** The document's URL. */
  readonly url: string;
  /** Most bytes of the text, in UTF-8. */
  readonly maxBytes: number;
  /** `page` makes readable text of HTML; `raw` keeps all text unchanged. */
  readonly as: 'page' | 'raw';
}

export interface RenderedDocument {
  /** `binary`: it has no readable text. */
  readonly kind: 'page' | 'text' | 'binary';
  readonly title: string;
  readonly text: string;
  readonly links: readonly PageLink[];
  readonly truncated: boolean;
}

const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|ecmascript|yaml|x-yaml|toml|sql|x-www-form-urlencoded|x-ndjson|x-sh)\b)/;
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)\b/;
const HTML_START = /^\s{0,200}(?:<!doctype html|<html|<head|<body|<!--)/i;

/** Converts a server's answer to text. Runs in its own box, because its input is hostile. */
export function renderDocument(bytes: Uint8Array, document: DocumentToRender): RenderedDocument {
  const type = document.contentType.trim().toLowerCase();
  const known =
    type === '' || type.startsWith('application/octet-stream')
      ? undefined
      : TEXT_TYPE.test(type) || HTML_TYPE.test(type);
  if (known === false || isBinary(bytes)) return NOTHING;
  const decoded = decodeText(bytes, document.contentType);
  const isHtml = HTML_TYPE.test(type) || (known === undefined && HTML_START.test(decoded.slice(0, 1_000)));
  if (document.as === 'page' && isHtml) {
    const page = pageText(decoded, document.url, document.maxBytes);
    const { text, cut } = cutTo(page.text, document.maxBytes);
    return { kind: 'page', title: page.title, text, links: page.links, truncated: page.truncated || cut };
  }
  const { text, cut } = cutTo(visibleOnly(decoded), document.maxBytes);
  return { kind: 'text', title: '', text, links: [], truncated: cut };
}

const NOTHING: RenderedDocument = { kind: 'binary', title: '', text: '', links: [], truncated: false };

/** Cuts a text to its first bytes, at a character's end. */
function cutTo(text: string, maxBytes: number): { readonly text: string; readonly cut: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, cut: false };
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return { text: bytes.subarray(0, end).toString(), cut: true };
}

const META_CHARSET = /<meta[^>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w:.-]{1,40})/i;
const HEADER_CHARSET = /charset\s{0,9}=\s{0,9}"?([\w:.-]{1,40})/i;
/** A document's own charset declaration must stand within this many bytes. */
const META_BYTES = 1_024;

/**
 * Decodes bytes: by their byte order mark, else the header, else the document, else UTF-8; bytes
 * that are not UTF-8 use the one-byte set of the old web.
 *
 * @param contentType the header as received; empty if missing
 */
function decodeText(bytes: Uint8Array, contentType: string): string {
  const named = HEADER_CHARSET.exec(contentType)?.[1] ?? META_CHARSET.exec(latin1(bytes))?.[1];
  for (const label of [markOf(bytes), named]) {
    const text = label === undefined ? undefined : decode(bytes, label, false);
    if (text !== undefined) return text;
  }
  return decode(bytes, 'utf-8', true) ?? decode(bytes, 'windows-1252', false) ?? '';
}

/**
 * True if the bytes are not text: a NUL among the first ones, unless their mark announces wide
 * characters.
 */
function isBinary(bytes: Uint8Array): boolean {
  return markOf(bytes) === undefined && bytes.subarray(0, META_BYTES).includes(0);
}

function markOf(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, META_BYTES)).toString('latin1');
}

/** @param strict true: undefined for bytes outside that set */
function decode(bytes: Uint8Array, label: string, strict: boolean): string | undefined {
  try {
    return new TextDecoder(label, { fatal: strict }).decode(bytes);
  } catch {
    // An unknown set, or bytes outside it.
    return undefined;
  }
}
