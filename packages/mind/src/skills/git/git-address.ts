import { BulkheadError } from '@bulkhead/protocol';

/** Where a skill lies in a git repository. Every part is safe to hand to git as an argument, and to print. */
export interface GitAddress {
  readonly scheme: 'https' | 'ssh' | 'http';
  /** Of the repository; holds no credentials. */
  readonly url: string;
  /** Branch, tag or whole commit hash; `HEAD` for the default branch. */
  readonly ref: string;
  /** Folder of the skill in it; empty for its top. */
  readonly path: string;
}

const FIX =
  'Give https://HOST/REPOSITORY, ssh://USER@HOST/REPOSITORY or git@HOST:REPOSITORY, and behind it #BRANCH, #TAG, #COMMIT or #REF:FOLDER if you like. A folder on this machine is given by its path.';

const MAX_LENGTH = 2_000;
const USER = /^[a-z0-9_][a-z0-9_.-]*$/i;
const HOST = /^(?:[a-z0-9][a-z0-9.-]*|\[[0-9a-f:.]+\])$/i;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const REF = /^[\p{L}\p{N}_][\p{L}\p{N}_./@+=-]{0,199}$/u;
const NO_REF = /\.\.|\/\/|@\{|[./]$|\.lock$/;
/** Allowed characters of a URL: no blank, quote, backslash or question mark. */
const URL_TEXT = /^[a-z0-9._~:/@!$&'()*+,;=%[\]-]+$/i;

/** True for a word that is no path: `SCHEME://…`, `SCHEME::…`, `USER@HOST:…`. A folder of such a name is given as `./NAME`. */
export function isAddress(word: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?:\/\/|:)/i.test(word) || /^[^/#]*@[^/#]*:/.test(word);
}

/**
 * `URL`, `URL#REF`, `URL#REF:FOLDER`, `URL#:FOLDER`.
 *
 * @throws BulkheadError `usage`. Its message never repeats the address: what is refused may hold a password
 */
export function parseGitAddress(word: string): GitAddress {
  const hash = word.indexOf('#');
  const base = hash < 0 ? word : word.slice(0, hash);
  const { ref, path } = parseFragment(hash < 0 ? '' : word.slice(hash + 1));
  if (base.length > MAX_LENGTH || !URL_TEXT.test(base) || /%(?:[01].|7f|$|.$)/i.test(base)) {
    throw refused('has characters that an address of a repository may not have, or is too long');
  }
  return { ...(base.includes('://') ? parseUrl(base) : parseScp(base)), ref, path };
}

/** As it can be given again: the recorded origin of a skill. */
export function addressOf({ url, path }: GitAddress, ref: string): string {
  return `${url}#${ref}${path === '' ? '' : `:${path}`}`;
}

function parseFragment(text: string): Pick<GitAddress, 'ref' | 'path'> {
  const colon = text.indexOf(':');
  const ref = colon < 0 ? text : text.slice(0, colon);
  const path = colon < 0 ? '' : text.slice(colon + 1).replace(/\/$/, '');
  if (ref !== '' && (!REF.test(ref) || NO_REF.test(ref))) {
    throw refused('names no branch, tag or commit behind #');
  }
  if (path !== '' && !isPlainPath(path)) throw refused('names no folder of the repository behind #REF:');
  return { ref: ref === '' ? 'HEAD' : ref, path };
}

function isPlainPath(path: string): boolean {
  const names = path.split('/');
  const isText = path.length <= MAX_LENGTH && !/[\p{C}\p{Zl}\p{Zp}\\:]/u.test(path);
  return isText && names.every((name) => !['', '.', '..'].includes(name));
}

/** `git@host:path` */
function parseScp(base: string): Pick<GitAddress, 'scheme' | 'url'> {
  const [, user = '', host = '', path = ''] = /^([^@:]*)@([^@:]*):(.*)$/.exec(base) ?? [];
  if (!USER.test(user) || !HOST.test(host) || !/^[a-z0-9_~/]/i.test(path) || path.startsWith('//')) {
    throw refused('is of no kind that is fetched, or holds a password');
  }
  return { scheme: 'ssh', url: base };
}

function parseUrl(base: string): Pick<GitAddress, 'scheme' | 'url'> {
  const url = URL.parse(base);
  if (url === null) throw refused('is no address');
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https' && scheme !== 'ssh' && scheme !== 'http') {
    throw refused('is of no kind that is fetched: https, ssh and git@HOST:REPOSITORY are');
  }
  if (!HOST.test(url.hostname) || url.pathname.length < 2) throw refused('names no host or no repository');
  if (scheme === 'http' && !LOOPBACK.test(url.hostname)) {
    throw refused('is not encrypted: anyone on the network path could change the skill');
  }
  const isLogin = scheme === 'ssh' && url.password === '' && USER.test(url.username);
  if (!isLogin && (url.username !== '' || url.password !== '')) {
    throw refused('holds a name or a password, which would be kept and shown with the skill');
  }
  return { scheme, url: url.href };
}

function refused(why: string): BulkheadError {
  return new BulkheadError('usage', `the address ${why}`, { fix: FIX });
}
