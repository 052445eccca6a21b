import {
  AMBIGUOUS_WORDS,
  CREDENTIAL_WORDS,
  FOLLOWING_WORDS,
  OBJECT_WORDS,
  QUALIFYING_WORDS,
  VERB_WORDS,
} from './effect-words.ts';

/** One word of a text, with the classes it may have there. */
export interface EffectWord {
  readonly text: string;
  readonly verbs: ReadonlySet<string>;
  readonly objects: ReadonlySet<string>;
  /** It names a secret and is the object itself: the `API key`, not the `API key rotation`. */
  readonly credential: boolean;
  /** Counts the sentences and parts of sentences before it. */
  readonly clause: number;
  /** A word shortly before forbids it. */
  readonly negated: boolean;
}

const MAX_WORDS = 2_000;
const NONE: ReadonlySet<string> = new Set();
const TOKEN = /[\p{L}\p{N}_.&@/~$+'-]+|[,;:!?()\n]/gu;
const STOP = /^[,;:!?()\n]$/;
const CLAUSE_END = /^[;!?\n]$/;
const NEGATIONS: ReadonlySet<string> = new Set(
  "not never don't dont doesn't without no neither cannot can't mustn't shouldn't nicht kein keine nie niemals ohne sans jamais pas sin nunca".split(
    ' ',
  ),
);
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['sent', 'send'],
  ['wrote', 'write'],
  ['written', 'write'],
  ['ran', 'run'],
  ['running', 'run'],
  ['putting', 'put'],
  ['getting', 'get'],
  ['stolen', 'steal'],
]);
const ENDINGS: readonly (readonly [end: string, instead: string])[] = [
  ['ing', ''],
  ['ing', 'e'],
  ['ies', 'y'],
  ['es', ''],
  ['s', ''],
  ['ed', ''],
  ['ed', 'e'],
];

/** @param text in any case; only the first `MAX_WORDS` words count */
export function effectWords(text: string): readonly EffectWord[] {
  const tokens = [...text.toLowerCase().replaceAll('’', "'").matchAll(TOKEN)]
    .slice(0, MAX_WORDS)
    .flatMap(([token]) => partsOf(token));
  let clause = 0;
  return tokens.flatMap((token, at) => {
    if (CLAUSE_END.test(token)) clause += 1;
    return STOP.test(token) ? [] : [classify(token, tokens, at, clause)];
  });
}

/** `ssh-key` is two words; a path is one; a full stop at the end stands apart. */
function partsOf(token: string): readonly string[] {
  if (STOP.test(token)) return [token];
  const word = token.replace(/^['+-]+|['+.-]+$/g, '');
  const parts =
    /[/~$@]|^\./.test(word) || VERB_WORDS.has(word) || FOLLOWING_WORDS.has(word)
      ? [word]
      : word.split(/[-_]+/);
  return [...parts.filter((part) => part !== ''), ...(token.endsWith('.') ? [';'] : [])];
}

function classify(text: string, tokens: readonly string[], at: number, clause: number): EffectWord {
  const before = [tokens[at - 1], tokens[at - 2], tokens[at - 3]];
  return {
    text,
    verbs: VERB_WORDS.get(text) ?? VERB_WORDS.get(stemOf(text)) ?? NONE,
    objects: OBJECT_WORDS.get(text) ?? NONE,
    credential:
      (namesSecret(text, before) && isSpokenOf(tokens[at + 1])) || isSecretValue(text, tokens[at + 1]),
    clause,
    negated: before.some((each) => each !== undefined && NEGATIONS.has(each)),
  };
}

function namesSecret(text: string, before: readonly (string | undefined)[]): boolean {
  if (CREDENTIAL_WORDS.has(text)) return true;
  if (!AMBIGUOUS_WORDS.has(text)) return false;
  return before.slice(0, 2).some((each) => each !== undefined && QUALIFYING_WORDS.has(each));
}

/** `secret` alone may be a secret meeting; here it must mean a secret value. */
function isSecretValue(text: string, next: string | undefined): boolean {
  return text === 'secret' && next !== undefined && /^(?:values?|strings?|material)$/.test(next);
}

function isSpokenOf(next: string | undefined): boolean {
  if (next === undefined || STOP.test(next) || FOLLOWING_WORDS.has(next)) return true;
  // A list, a path, or an operation on it.
  return (
    AMBIGUOUS_WORDS.has(next) ||
    CREDENTIAL_WORDS.has(next) ||
    /^[.~/$]/.test(next) ||
    VERB_WORDS.has(stemOf(next))
  );
}

/** True for `sends` and `sending`, as descriptions use; commands use `send`. */
export function isInflectedVerb(word: string): boolean {
  return !VERB_WORDS.has(word) && VERB_WORDS.has(stemOf(word));
}

/** Returns `send` for `sends`, `sending`, `sent`; only for known verbs. */
function stemOf(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  for (const [end, instead] of ENDINGS) {
    if (!word.endsWith(end) || word.length < end.length + 3) continue;
    const stem = `${word.slice(0, -end.length)}${instead}`;
    if (VERB_WORDS.has(stem)) return stem;
  }
  return word;
}
