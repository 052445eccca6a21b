import { type EffectWord, effectWords } from './effect-word.ts';
import { ATTACK_WORDS, type ObjectClass, type VerbClass } from './effect-words.ts';
import type { JudgedCall } from './judged-call.ts';
import { type MentionedPlaces, mentionedPlaces } from './mentioned-places.ts';

/**
 * Effects that a text names: verbs near objects, and destinations. Hints from grammar, without
 * understanding.
 */
export interface NamedEffects {
  /**
   * A verb of the class stands within a few words of an object of the class, and is not forbidden
   * there.
   */
  pairs(verb: VerbClass, object: ObjectClass | 'credentials'): boolean;
  /** The verb occurs somewhere, and is not forbidden. */
  does(verb: VerbClass): boolean;
  speaksOf(object: ObjectClass): boolean;
  /** The words that name a secret, if any do. */
  readonly credentials: string | undefined;
  /** The word that names an attack, unless a word nearby says that it is prevented. */
  readonly attack: string | undefined;
  /** The text forbids informing or asking the user, or acts without their knowledge. */
  readonly behindBack: boolean;
  /** The text names a destination beyond this machine: an address, or words for one. */
  readonly away: boolean;
  /** The data goes to someone outside whom the text does not name. */
  readonly anywhere: boolean;
  readonly places: MentionedPlaces;
  readonly words: number;
}

/** Most words between a verb and its object. */
const NEAR = 9;
const TELL = new Set(
  'tell telling ask asking mention mentioning notify notifying inform informing report reporting reveal revealing disclose show showing alert alerting warn warning confirm confirmation approval permission knowledge consent noticing sagen fragen informieren dire demander informer preguntar decir avisar'.split(
    ' ',
  ),
);
const ADDRESS = /\b[a-z][a-z0-9+]{1,12}:\/\/|[\w.+-]@[\w-]+\.\w|\b\d{1,3}(?:\.\d{1,3}){3}\b/i;

/** Reads the effects that a text names. Linear in its length. */
export function namedEffects(text: string, call: JudgedCall): NamedEffects {
  const places = mentionedPlaces(text, call);
  const words = effectWords(text).map((word) =>
    isPlace(word.text, places.credentials) ? { ...word, credential: true } : word,
  );
  const pairs = pairsOf(words);
  const verbs = new Set(words.flatMap((word) => (word.negated ? [] : [...word.verbs])));
  const objects = new Set(words.flatMap((word) => [...word.objects]));
  return {
    pairs: (verb, object) => pairs.has(`${verb} ${object}`),
    does: (verb) => verbs.has(verb),
    speaksOf: (object) => objects.has(object),
    credentials: words.find((word) => word.credential)?.text ?? places.credentials,
    attack: attackIn(words),
    behindBack: isBehindBack(words) || pairs.has('conceal user'),
    away: objects.has('away') || ADDRESS.test(text),
    anywhere: objects.has('outside') && !ADDRESS.test(text),
    places,
    words: words.length,
  };
}

/** True if the word is the path, or its beginning. */
function isPlace(word: string, path: string | undefined): boolean {
  return path !== undefined && word.length > 3 && path.toLowerCase().startsWith(word);
}

function pairsOf(words: readonly EffectWord[]): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const [at, word] of words.entries()) {
    if (word.verbs.size === 0 || word.negated) continue;
    for (const object of objectsNear(words, at)) {
      for (const verb of word.verbs) pairs.add(`${verb} ${object}`);
    }
  }
  return pairs;
}

/** Returns objects in the same part of a sentence, a few words before or after. */
function objectsNear(words: readonly EffectWord[], at: number): ReadonlySet<string> {
  const objects = new Set<string>();
  for (const other of words.slice(Math.max(0, at - NEAR), at + NEAR + 1)) {
    if (other === words[at] || other.clause !== words[at]?.clause) continue;
    for (const object of other.objects) objects.add(object);
    if (other.credential) objects.add('credentials');
  }
  return objects;
}

function attackIn(words: readonly EffectWord[]): string | undefined {
  const at = words.findIndex(
    ({ text }, index) =>
      ATTACK_WORDS.has(text) ||
      (/^(?:reverse|bind)$/.test(text) && /^shells?$/.test(words[index + 1]?.text ?? '')),
  );
  if (at < 0) return undefined;
  const fought = words.slice(Math.max(0, at - 8), at + 4).some((word) => word.verbs.has('guard'));
  return fought ? undefined : words[at]?.text;
}

function isBehindBack(words: readonly EffectWord[]): boolean {
  return words.some((word, at) => {
    if (!TELL.has(word.text) || !word.negated) return false;
    return (
      words.slice(at, at + 5).some((each) => each.objects.has('user')) ||
      /^(?:confirmation|approval|permission|knowledge|consent|asking|noticing)$/.test(word.text)
    );
  });
}
