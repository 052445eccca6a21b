import { entropyOf } from '../../secrets/looks-random.ts';
import type { Finding } from '../effects/finding.ts';
import { decodedRuns, unescapeText } from './decode-text.ts';
import { hostKind, isDropService } from './host-place.ts';
import { invisibleIn } from './invisible.ts';
import type { ArgumentContext } from './judged-call.ts';
import { isConfusable, namesIn, takenFor } from './lookalike.ts';
import { mentionedPlaces } from './mentioned-places.ts';
import { quoted } from './quoted.ts';
import { type ArgumentRule, findingOf } from './rules.ts';
import { secretIn } from './secret-in-text.ts';
import { substitutionIn } from './substitution.ts';

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:']);
const MAX_URL = 8_192;
const LONG_PART = 48;
/** Bits per character above which a long run is not a word. */
const RANDOM = 4.2;

/** A remote that the repository has configured: `origin`. */
const REMOTE_NAME = /^[a-z][\w-]{0,63}$/i;

type Hit = readonly [rule: ArgumentRule, what: string];

/**
 * Judges an address that a connection goes to. @param carries true if the call sends a body with it
 */
export function judgeUrl(text: string, carries: boolean, context: ArgumentContext): readonly Finding[] {
  if (context.annotation.sink === 'git' && REMOTE_NAME.test(text)) return [];
  return hitsOf(text, carries, context).flatMap(([rule, what]) =>
    findingOf(rule, context.options.preset, `${what}: ${quoted(text)}`),
  );
}

/** Judges a bare host, with or without a port. */
export function judgeHost(text: string, context: ArgumentContext): readonly Finding[] {
  return judgeUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}/`, false, context);
}

function hitsOf(text: string, carries: boolean, context: ArgumentContext): readonly Hit[] {
  if (text.length > MAX_URL) return [['not-judged', 'names an address too long to judge']];
  const hits: Hit[] = [];
  if (invisibleIn(text) !== undefined || /[\t\r\n]/.test(text)) {
    hits.push(['disguised-path', 'names an address with invisible characters']);
  }
  const url = URL.parse(text) ?? URL.parse(`https://${text}`);
  if (url === null) return [...hits, ['not-judged', 'names an address that is none']];
  if (!SCHEMES.has(url.protocol))
    return [...hits, ['odd-scheme', `would use ${url.protocol} instead of the web`]];
  return [...hits, ...hostHits(text, url, carries, context), ...carriedHits(text, url, context)];
}

function hostHits(text: string, url: URL, carries: boolean, { options }: ArgumentContext): readonly Hit[] {
  const host = url.hostname.replace(/\.$/, '');
  const kind = hostKind(host);
  const hits: Hit[] = [];
  if (kind === 'metadata') hits.push(['metadata-service', 'would ask a cloud for its own credentials']);
  if (kind === 'loopback' || kind === 'internal')
    hits.push(['internal-address', 'would reach into the local network']);
  if (kind === 'raw-public') hits.push(['raw-address', 'would connect to a bare address']);
  if (isDropService(host, url.pathname)) {
    const filled = carries || url.search.length > 32;
    hits.push([
      filled ? 'drop-service-filled' : 'drop-service',
      'would reach a place where anyone can collect the sent data',
    ]);
  }
  const written = /^[a-z]+:[\\/]*(?:[^\\/?#]*@)?([^\\/?#:]*)/i.exec(text)?.[1] ?? '';
  if (isConfusable(written)) hits.push(['lookalike-host', 'names a host in letters that look like others']);
  else if (host.split('.').some((label) => label.startsWith('xn--'))) {
    hits.push(['foreign-script-host', 'names a host in letters that may look like others']);
  }
  const model = takenFor(host, namesIn(options.request ?? ''));
  if (model !== undefined && !host.endsWith(`.${model}`))
    hits.push(['lookalike-host', `names a host that looks like ${model}`]);
  return hits;
}

function carriedHits(text: string, url: URL, { call }: ArgumentContext): readonly Hit[] {
  const hits: Hit[] = [];
  if (url.username !== '' || url.password !== '') hits.push(['login-in-url', 'carries a login']);
  const rest = unescapeText(`${url.pathname} ${url.search} ${url.hash}`);
  const subdomain = url.hostname.split('.').slice(0, -2).join('.');
  const runs = decodedRuns(`${rest} ${subdomain} ${url.username} ${url.password}`);
  const all = [text, rest, ...runs.map((run) => run.text)];
  if (all.some((each) => secretIn(each) !== undefined)) hits.push(['secret-sent', 'carries a secret']);
  const substitution = substitutionIn(rest);
  if (substitution !== undefined) {
    hits.push([
      'substitution-sent',
      `has ${quoted(substitution)} filled in on the way, by what is on this machine`,
    ]);
  }
  const places = mentionedPlaces(`${rest} ${runs.map((run) => run.text).join(' ')}`, call);
  if (places.credentials !== undefined)
    hits.push(['credentials-handed-out', `names ${quoted(places.credentials)}`]);
  else if (places.sensitive !== undefined) hits.push(['file-in-url', `names ${quoted(places.sensitive)}`]);
  if (runs.length > 0 || hasBlob(url, subdomain)) hits.push(['data-in-url', 'carries encoded data']);
  return hits;
}

/**
 * A long run that is not a word, where an address can carry data: a query value, a host label, a
 * path part.
 */
function hasBlob(url: URL, subdomain: string): boolean {
  const values = [...url.searchParams.values(), url.hash.slice(1), ...url.pathname.split('/')];
  if (values.some((value) => value.length >= LONG_PART && !/\s/.test(value) && isBlob(value))) return true;
  const labels = subdomain.split('.');
  return labels.some((label) => label.length >= 30 && isBlob(label)) || subdomain.length > 80;
}

function isBlob(value: string): boolean {
  if (/^[0-9a-f]{64,}$/i.test(value)) return value.length > 64;
  return (
    /^[\w+/=.~-]+$/.test(value) &&
    !/[a-z]{1,40}(?:[-_.][a-z]{1,40}){3}/.test(value) &&
    entropyOf(value) > RANDOM
  );
}
