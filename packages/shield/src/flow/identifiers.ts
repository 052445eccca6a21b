import { fold } from './words.ts';

/** The type of a value whose shape alone identifies a person or place. */
export type IdentifierType = 'email' | 'url' | 'account' | 'phone' | 'handle';

export interface Identifier {
  readonly type: IdentifierType;
  /** Normalized spelling for comparison. */
  readonly normal: string;
  /** As written in the text. */
  readonly text: string;
}

/** Longest text that is searched, in characters; the rest endorses nothing. */
const MAX_TEXT = 1_000_000;

/** Names of files look like names of hosts. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(
  `avi bak bat bin bmp c cfg class conf cpp cs css csv db doc docx eml env exe gif go gz h heic htm html ics ini ipynb jar java
  jpeg jpg js json jsonl jsx key lock log lua m4a md mjs mkv mov mp3 mp4 msg odp ods odt old orig out pdf pem php plist png ppt
  pptx ps1 py rar rb rs rst rtf scss sh so sql svg swift tar tex tgz tif tmp toml ts tsv tsx ttf txt vbs vue wav webm webp xls xlsm
  xlsx xml yaml yml zip`.split(/\s+/u),
);

const EDGES = /^[.!?:;*_~\-–—=&]+|[.!?:;*_~\-–—=&/\\]+$/gu;

/** Every identifier in a text, in order, each once. Linear in the length of the text. */
export function identifiersIn(text: string): readonly Identifier[] {
  const found = new Map<string, Identifier>();
  for (const chunk of text.slice(0, MAX_TEXT).split(/[\s<>"'`(){}[\]|,;“”‘’«»\\]+/u)) {
    if (chunk.length < 3 || chunk.length > 2048 || !/[.@:\d]/u.test(chunk)) continue;
    const identifier = identifierOf(chunk) ?? identifierOf(chunk.slice(chunk.indexOf('=') + 1));
    // "see www.example.org.They say": a new sentence without a space is not part of the name.
    const short = chunk.replace(/\.\p{Lu}\p{Ll}*$/u, '');
    const cut = short === chunk ? undefined : identifierOf(short);
    for (const one of [identifier, cut]) if (one !== undefined) found.set(`${one.type} ${one.normal}`, one);
  }
  for (const identifier of spacedNumbers(text.slice(0, MAX_TEXT))) {
    found.set(`${identifier.type} ${identifier.normal}`, identifier);
  }
  return [...found.values()];
}

/** Returns the identifier that a word is, if it is one. */
export function identifierOf(word: string): Identifier | undefined {
  const text = word.replaceAll(EDGES, '');
  return emailOf(text) ?? urlOf(text) ?? accountOf(text) ?? handleOf(text);
}

function emailOf(text: string): Identifier | undefined {
  const plain = text.replace(/^mailto:/iu, '');
  const at = plain.indexOf('@');
  if (at < 1 || at !== plain.lastIndexOf('@') || plain.includes('/')) return undefined;
  return isHost(plain.slice(at + 1)) ? { type: 'email', normal: fold(plain), text } : undefined;
}

function urlOf(text: string): Identifier | undefined {
  const scheme = /^[a-z][a-z0-9+.-]{1,20}:\/\//iu.exec(text)?.[0];
  const rest = text.slice(scheme?.length ?? 0);
  const host = rest.split(/[/?#]/u, 1)[0] ?? '';
  if (scheme === undefined && !isHost(host)) return undefined;
  return host === '' ? undefined : { type: 'url', normal: normalUrl(text), text };
}

/** Removes the scheme, `www.`, user and last slash; folds the host's case and keeps the rest. */
export function normalUrl(text: string): string {
  const rest = text.trim().replace(/^[a-z][a-z0-9+.-]{1,20}:\/\//iu, '');
  const end = rest.search(/[/?#]/u);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .toLowerCase()
    .replace(/^www\./u, '');
  const path = end === -1 ? '' : rest.slice(end).replace(/\/$/u, '');
  return `${host}${path}`;
}

/** The host of a normal URL, without port. */
export function hostOfUrl(normal: string): string {
  const host = normal.split(/[/?#]/u, 1)[0] ?? '';
  return host.replace(/:\d+$/u, '');
}

function isHost(text: string): boolean {
  const labels = text.replace(/:\d{1,5}$/u, '').split('.');
  const last = labels.at(-1)?.toLowerCase() ?? '';
  if (labels.length === 4 && labels.every((label) => /^\d{1,3}$/u.test(label))) return true;
  if (labels.length < 2 || !/^\p{L}{2,24}$/u.test(last)) return false;
  if (FILE_ENDINGS.has(last) && labels[0]?.toLowerCase() !== 'www') return false;
  return labels.every((label) => /^[\p{L}\p{N}_-]{1,63}$/u.test(label));
}

/** IBAN shape (ISO 13616), wallet addresses and other long runs with digits. */
function accountOf(text: string): Identifier | undefined {
  const plain = text.replaceAll('-', '');
  if (!/^[\p{L}\p{N}]{8,128}$/u.test(plain)) return undefined;
  const digits = plain.replaceAll(/\P{N}/gu, '').length;
  const isAccount =
    /^[A-Za-z]{2}\d{2}[A-Za-z0-9]{8,32}$/u.test(plain) || digits === plain.length || digits >= 6;
  return isAccount && !isDate(text) ? { type: 'account', normal: fold(plain), text } : undefined;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:T[\d:.+Z-]*)?$/iu.test(text);
}

function handleOf(text: string): Identifier | undefined {
  return /^@[\p{L}\p{N}][\p{L}\p{N}_.-]{1,63}$/u.test(text)
    ? { type: 'handle', normal: fold(text), text }
    : undefined;
}

/** Phone and account numbers written in groups. */
function spacedNumbers(text: string): readonly Identifier[] {
  if (!/\d{2}/u.test(text)) return [];
  const found: Identifier[] = [];
  for (const [match] of text.matchAll(
    /(?:\+\d|\b[A-Z]{2}\d{2}|\b\d)[\dA-Z]{0,4}(?:[ ./()-]{1,2}[\dA-Z]{2,5}){1,10}/gu,
  )) {
    const normal = fold(match.replaceAll(/[ ./()+-]/gu, ''));
    const digits = normal.replaceAll(/\D/gu, '').length;
    if (digits < 8 || isDate(match) || /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/u.test(match)) continue;
    found.push({ type: match.startsWith('+') ? 'phone' : 'account', normal, text: match });
  }
  return found;
}
