import { domainToASCII, domainToUnicode } from 'node:url';
import { type IpAddress, parseIp } from './ip-address.ts';

/** The host of a URL, in its one spelling. */
export type Host =
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'address'; readonly text: string; readonly address: IpAddress };

/** Letters, digits, `_`, and `-` inside: ASCII only, so the name shown is the name resolved. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/**
 * A last label of this form makes parsers that follow the URL standard, and the C library, read an
 * address.
 */
const NUMERIC = /^(?:\d+|0x[0-9a-f]*)$/;
const MAX_NAME = 253;

/**
 * Reads a host strictly: a DNS name in ASCII without a last dot, an address of version 4 in dotted
 * decimal, or one of version 6 in brackets. Upper case becomes lower case; nothing else is
 * repaired.
 *
 * @returns the mistake in words, if it is not a host
 */
export function parseHost(text: string): Host | string {
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (lower.startsWith('[')) return bracketed(lower);
  const address = parseIp(lower);
  if (address?.family === 4) return { kind: 'address', text: address.text, address };
  return name(lower);
}

function bracketed(text: string): Host | string {
  const address = text.endsWith(']') ? parseIp(text.slice(1, -1)) : undefined;
  if (address?.family !== 6) return 'has brackets around what is no address of version 6';
  return { kind: 'address', text: `[${address.text}]`, address };
}

function name(text: string): Host | string {
  if (text === '') return 'names no host';
  if (text.length > MAX_NAME) return 'has a host name that is too long';
  if (text.endsWith('.')) return 'has a host name that ends in a dot';
  const labels = text.split('.');
  const odd = labels.find((label) => !LABEL.test(label));
  if (odd !== undefined) {
    return `has ${odd === '' ? 'an empty part' : `the part ${JSON.stringify(odd)}`} in its host name, which is no plain DNS name (international names are written in their xn-- form)`;
  }
  if (NUMERIC.test(labels.at(-1) ?? '')) return 'has a host that some programs would read as an address';
  if (labels.some((label) => label.startsWith('xn--')) && domainToASCII(domainToUnicode(text)) !== text) {
    return 'has an xn-- name that stands for no valid name';
  }
  return { kind: 'name', text };
}
