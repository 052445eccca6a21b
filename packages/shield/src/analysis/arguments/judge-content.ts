import type { Finding } from '../effects/finding.ts';
import { isDatabaseFile } from '../effects/is-database-file.ts';
import { decodedRuns } from './decode-text.ts';
import { invisibleIn, visible } from './invisible.ts';
import type { ArgumentContext } from './judged-call.ts';
import { type NamedEffects, namedEffects } from './named-effects.ts';
import { quoted } from './quoted.ts';
import { type ArgumentRule, findingOf } from './rules.ts';
import { secretIn } from './secret-in-text.ts';
import { substitutionIn } from './substitution.ts';

const MAX_PROSE = 8_192;
/** A text of at most so many words, without a sentence, describes data instead of containing it. */
const PHRASE_WORDS = 14;
const MAX_JUDGED = 262_144;
const PICTURE = /^(?:data:)?(?:image|audio|video|font)\//;

type Hit = readonly [rule: ArgumentRule, what: string];

/**
 * Judges a text that leaves this machine: a body, a message, an attachment's text.
 *
 * @param main false for a text that accompanies a longer one: a subject is a phrase by nature
 */
export function judgeOutgoing(text: string, main: boolean, context: ArgumentContext): readonly Finding[] {
  const hits: Hit[] = [];
  if (text.length > MAX_JUDGED) hits.push(['not-judged', `carries ${text.length} characters`]);
  const judged = text.slice(0, MAX_JUDGED);
  const invisible = invisibleIn(judged);
  if (invisible !== undefined) {
    hits.push([
      invisible.deceives ? 'hidden-text' : 'invisible-characters',
      `carries invisible characters (${invisible.shown})`,
    ]);
  }
  hits.push(...secretHits(visible(judged)), ...proseHits(visible(judged.slice(0, MAX_PROSE)), main, context));
  if (namesPaymentDetails(judged)) hits.push(['payment-details', 'carries the details of a bank account']);
  return hits.flatMap(([rule, what]) => findingOf(rule, context.options.preset, what));
}

/** Finds secrets in a text, also in encoded parts. */
function secretHits(text: string): readonly Hit[] {
  const secret = secretIn(text);
  if (secret !== undefined) return [['secret-sent', `carries ${secret}`]];
  const runs = PICTURE.test(text) ? [] : decodedRuns(text);
  for (const run of [...runs, reversed(text)]) {
    const inner = secretIn(run.text);
    if (inner !== undefined) return [['secret-sent', `carries ${inner}, in ${run.encoding}`]];
  }
  return runs.length === 0 ? [] : [['encoded-content', `carries text in ${runs[0]?.encoding}`]];
}

function reversed(text: string): { readonly text: string; readonly encoding: string } {
  return { text: text.length > MAX_PROSE ? '' : [...text].reverse().join(''), encoding: 'reverse' };
}

function proseHits(text: string, main: boolean, context: ArgumentContext): readonly Hit[] {
  const hits: Hit[] = [];
  const substitution = substitutionIn(text);
  if (substitution !== undefined && isSecretSource(substitution, context)) {
    hits.push([
      'substitution-sent',
      `has ${quoted(substitution)} filled in on the way, by what is on this machine`,
    ]);
  }
  const effects = namedEffects(text, context.call);
  const phrase = main && isPhrase(text, effects.words);
  if (effects.places.own !== undefined && phrase) {
    hits.push(['own-files', `speaks of Bulkhead's own files: ${quoted(effects.places.own)}`]);
  }
  hits.push(
    ...(effects.credentials === undefined
      ? dataHits(text, phrase, effects, context)
      : credentialHits(text, phrase, effects)),
  );
  return hits;
}

function credentialHits(text: string, phrase: boolean, effects: NamedEffects): readonly Hit[] {
  const named = quoted(effects.credentials ?? '');
  if (phrase) return [['credentials-handed-out', `is to hand out credentials: ${named}`]];
  const handed =
    HANDED_OUT.test(text) || effects.pairs('send', 'credentials') || effects.places.credentials !== undefined;
  return handed ? [['credentials-mentioned', `speaks of ${named}`]] : [];
}

function dataHits(
  text: string,
  phrase: boolean,
  effects: NamedEffects,
  context: ArgumentContext,
): readonly Hit[] {
  if (phrase && ENVIRONMENT.test(text))
    return [['credentials-handed-out', 'is to hand out the environment, and the secrets in it']];
  const database = phrase ? databaseIn(text) : undefined;
  if (database !== undefined) {
    const asked = namesDestination(context) && (context.options.request ?? '').includes(database);
    return [
      [asked ? 'reference-sent' : 'database-sent', `is to hand out a whole database: ${quoted(database)}`],
    ];
  }
  if (phrase && (effects.speaksOf('private') || isStoredFile(text))) {
    const rule = namesDestination(context) ? 'reference-sent' : 'reference-sent-unasked';
    return [[rule, `stands for something on this machine: ${quoted(text)}`]];
  }
  const handed = HANDED_OUT.test(text) && effects.speaksOf('private');
  return handed ? [['private-handed-out', 'hands out what may be private']] : [];
}

/**
 * The user's own words name the destination: then the user decides whether the text may go there.
 */
function namesDestination({ call, annotation, options }: ArgumentContext): boolean {
  const request = options.request?.toLowerCase() ?? '';
  return Object.entries(call.args).some(([name, value]) => {
    const role = annotation.arguments[name];
    if (typeof value !== 'string' || value === '') return false;
    if (role === 'recipient') return request.includes(value.toLowerCase());
    if (role !== 'url' && role !== 'host') return false;
    const host = URL.parse(value)?.hostname ?? value;
    return request.includes(host.toLowerCase());
  });
}

const HANDED_OUT =
  /\b(?:attach(?:ed|ing|ment)?|enclosed|here (?:is|are)|contents? of|values? of|dump of|export of|copy of|below (?:is|are)|find below|anbei|ci-joint|adjunto)\b/i;

/** All variables of a process, which often hold secrets. */
const ENVIRONMENT =
  /^\s*(?:the |my |all |full |our ){0,3}(?:output of )?(?:env|printenv|environment(?: variables?)?|env vars?)(?: (?:variables|dump|output|contents|list|values))?\s*$/i;

/** A few words without a verb or an end of sentence, as `the quarterly numbers`. */
function isPhrase(text: string, words: number): boolean {
  if (words === 0 || words > PHRASE_WORDS || /[.!?]\s|[{}<>=\n]/.test(text)) return false;
  return !SENTENCE.test(text) && !(words > 5 && /[.;:]\s*$/.test(text));
}

const SENTENCE =
  /[!?]|\b(?:i|i'm|we|you|he|she|it|they|is|are|was|were|am|be|has|have|had|will|would|can|could|should|may|please|thanks|thank|hi|hello|hey|dear|let|let's|don't|do|does|did)\b/i;

/** The name of a database, without its folders. */
function databaseIn(text: string): string | undefined {
  const words = text.split(/[\s"'`,;()/\\]+/).map((word) => word.replace(/[.:]+$/, ''));
  return words.find(isDatabaseFile);
}

/**
 * Stored data instead of a message: a database, a dump, an archive, output of a program that shows
 * local data.
 */
function isStoredFile(text: string): boolean {
  return (
    /[\w-]{1,64}\.(?:db|sqlite3?|sql|dump|bak|tar|tgz|gz|zip|7z|pst|mbox|csv|xlsx?|env|ya?ml|ini|conf|log)\b/i.test(
      text,
    ) ||
    /^\s*(?:the )?(?:output of )?(?:git|env|printenv|history|ps|ls|cat|set|whoami|ifconfig|ip|netstat|dmesg)(?: (?:log|diff|show|status|stash|remote|config|addr|output|aux|-\w+))*\s*(?:output)?\s*$/i.test(
      text,
    )
  );
}

function isSecretSource(substitution: string, { call }: ArgumentContext): boolean {
  if (substitution.startsWith('$(')) return true;
  return namedEffects(substitution.replaceAll(/[_${}%<>=]/g, ' '), call).credentials !== undefined;
}

const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g;
const ROUTING = /\b\d{9}\b/g;
const BANKING =
  /\b(?:rout(?:ing|e)|account|beneficiary|wire|swift|bic|iban|aba|sort code|transfer|konto|compte|cuenta)\b/i;

/**
 * True if a text holds an account number with a valid check digit: an IBAN (ISO 13616), or a US
 * routing number (ABA).
 */
function namesPaymentDetails(text: string): boolean {
  for (const [match] of text.matchAll(IBAN)) if (isIban(match.replaceAll(' ', ''))) return true;
  if (!BANKING.test(text)) return false;
  for (const [match] of text.matchAll(ROUTING)) if (isRouting(match)) return true;
  return false;
}

function isIban(text: string): boolean {
  if (text.length < 15 || text.length > 34) return false;
  let remainder = 0;
  for (const character of `${text.slice(4)}${text.slice(0, 4)}`) {
    const value = Number.parseInt(character, 36);
    remainder = (value > 9 ? remainder * 100 + value : remainder * 10 + value) % 97;
  }
  return remainder === 1;
}

function isRouting(text: string): boolean {
  const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1];
  const sum = weights.reduce((total, weight, at) => total + weight * Number(text[at]), 0);
  return sum > 0 && sum % 10 === 0;
}
