import { decodeText, isBinary } from './decode-text.ts';
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
