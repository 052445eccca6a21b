import { BulkheadError } from '@bulkhead/protocol';

export type Header = readonly [name: string, value: string];

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/;
/** Visible ASCII; blanks and tabs inside. */
const VALUE = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/;
const MAX_HEADERS = 64;
const MAX_VALUE = 8_192;

/**
 * Headers that say whom a request is for, how long it is, how it travels or what it really does:
 * setting them would make a server see another request than the judged one.
 */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'via',
  'forwarded',
  'accept-encoding',
  'cookie',
  'cookie2',
  'http2-settings',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-real-ip',
  'x-host',
  'x-original-url',
  'x-rewrite-url',
]);
const FORBIDDEN_BEGINNINGS = ['proxy-', 'sec-', 'x-forwarded-'];

/** Headers that another origin may receive too; all others may be secret to the first. */
const HARMLESS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent', 'range']);

/** @throws BulkheadError `invalid_arguments` naming the header that must not be sent, and why */
export function checkHeaders(headers: readonly Header[]): readonly Header[] {
  if (headers.length > MAX_HEADERS) throw refused(`there are more than ${MAX_HEADERS} headers`);
  const seen = new Set<string>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (!NAME.test(name)) throw refused(`${JSON.stringify(name.slice(0, 100))} is no name of a header`);
    if (seen.has(lower)) throw refused(`the header ${name} is there twice`);
    if (FORBIDDEN.has(lower) || FORBIDDEN_BEGINNINGS.some((beginning) => lower.startsWith(beginning))) {
      throw refused(`the header ${name} is not one that may be set`);
    }
    if (value.length > MAX_VALUE || !VALUE.test(value)) {
      throw refused(`the header ${name} has a value that is too long or holds more than visible ASCII`);
    }
    seen.add(lower);
  }
  return headers;
}

/** Returns the headers that another origin may receive. */
export function headersForOthers(headers: readonly Header[]): readonly Header[] {
  return headers.filter(([name]) => HARMLESS.has(name.toLowerCase()));
}

function refused(why: string): BulkheadError {
  return new BulkheadError('invalid_arguments', why);
}
