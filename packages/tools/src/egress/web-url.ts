import { BulkheadError } from '@bulkhead/protocol';
import { type Host, parseHost } from './host.ts';

/** A URL as it is judged, shown and sent: parsed once, by this parser only. */
export interface WebUrl {
  readonly scheme: 'http' | 'https';
  readonly host: Host;
  readonly port: number;
  /** Path and query in ASCII, as the request line carries them. */
  readonly target: string;
  /** The whole URL in its one spelling, without a fragment. */
  readonly href: string;
}

const MAX_LENGTH = 8_192;
export const DEFAULT_PORTS = { http: 80, https: 443 } as const;

/**
 * Scheme, authority (host and port), path and query, fragment. Each class ends where the next
 * begins: linear time.
 */
const PARTS = /^([A-Za-z]{1,10}):\/\/([^/?#]*)([^#]*)(?:#.*)?$/u;
/**
 * Characters refused anywhere in a URL: blanks, control characters, invisible and directional ones,
 * backslashes, lone surrogates.
 */
const NEVER = /[\s\\\p{C}]/u;
const PORT = /^[1-9]\d{0,4}$/;
/** Characters allowed unencoded in a request line (RFC 3986). */
const ENCODED = /[^\w\-.~:/?[\]@!$&'()*+,;=%]/gu;

/**
 * The one parser of URLs. It repairs nothing about scheme, host and port: no user names, no blanks,
 * no backslashes, no dots at the end, no numbers in other bases. In path and query, other
 * characters are percent-encoded as UTF-8.
 *
 * @throws BulkheadError `invalid_arguments` with a sentence the model can act on
 */
export function parseWebUrl(text: string): WebUrl {
  if (text.length > MAX_LENGTH) throw refused(`is longer than ${MAX_LENGTH} characters`);
  if (NEVER.test(text))
    throw refused('has a blank, a backslash or an invisible character; percent-encode it');
  const [, scheme = '', authority = '', rest = ''] = PARTS.exec(text) ?? [];
  const lower = scheme.toLowerCase();
  if (lower !== 'https' && lower !== 'http') throw refused('does not begin with https://');
  if (authority.includes('@')) throw refused('has a user name or password in it');
  const { hostText, portText } = splitAuthority(authority);
  const host = parseHost(hostText);
  if (typeof host === 'string') throw refused(host);
  const port = portText === undefined ? DEFAULT_PORTS[lower] : Number(portText);
  if (portText !== undefined && (!PORT.test(portText) || port > 65_535))
    throw refused('has a port that is none');
  return webUrl(
    lower,
    host,
    port,
    (rest.startsWith('/') ? rest : `/${rest}`).replace(ENCODED, encodeURIComponent),
  );
}

/** `host[:port]` as a `Host` header carries it. */
export function hostHeader({ scheme, host, port }: Pick<WebUrl, 'scheme' | 'host' | 'port'>): string {
  return port === DEFAULT_PORTS[scheme] ? host.text : `${host.text}:${port}`;
}

/** True if both have the same scheme, host and port. */
export function isSameOrigin(one: WebUrl, other: WebUrl): boolean {
  return one.scheme === other.scheme && one.host.text === other.host.text && one.port === other.port;
}

/**
 * Resolves a `Location` against `base`. One that names a host goes through `parseWebUrl`; any other
 * can't change the host.
 * @throws BulkheadError `invalid_arguments`
 */
export function resolveLocation(base: WebUrl, location: string): WebUrl {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(location)) return parseWebUrl(location);
  if (location.startsWith('//')) return parseWebUrl(`${base.scheme}:${location}`);
  const [path = ''] = base.target.split('?', 1);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const target = location.startsWith('/')
    ? location
    : location.startsWith('?') || location.startsWith('#') || location === ''
      ? `${path}${location}`
      : `${folder}${location}`;
  return parseWebUrl(`${base.scheme}://${hostHeader(base)}${withoutDots(target)}`);
}

function webUrl(scheme: 'http' | 'https', host: Host, port: number, target: string): WebUrl {
  return { scheme, host, port, target, href: `${scheme}://${hostHeader({ scheme, host, port })}${target}` };
}

function splitAuthority(authority: string): {
  readonly hostText: string;
  readonly portText: string | undefined;
} {
  const colon = authority.startsWith('[') ? authority.indexOf(']:') + 1 : authority.indexOf(':');
  return colon <= 0
    ? { hostText: authority, portText: colon === 0 && authority.startsWith(':') ? '' : undefined }
    : { hostText: authority.slice(0, colon), portText: authority.slice(colon + 1) };
}

/** Takes `.` and `..` out of a path (RFC 3986, 5.2.4). */
function withoutDots(target: string): string {
  const [path = ''] = target.split(/[?#]/, 1);
  const kept: string[] = [];
  const parts = path.split('/').slice(1);
  for (const [index, part] of parts.entries()) {
    if (part === '..') kept.pop();
    else if (part !== '.') kept.push(part);
    if ((part === '..' || part === '.') && index === parts.length - 1) kept.push('');
  }
  return `/${kept.join('/')}${target.slice(path.length)}`;
}

function refused(why: string): BulkheadError {
  return new BulkheadError('invalid_arguments', `the URL ${why}`);
}
