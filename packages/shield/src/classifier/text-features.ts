import { OBJECT_WORDS, VERB_WORDS } from '../analysis/arguments/effect-words.ts';

/** log2 of the number of weights. */
export const FEATURE_BITS = 16;

const MASK = (1 << FEATURE_BITS) - 1;
const WORD_SEED = 0x811c9dc5;
const PAIR_SEED = 0x2c1b3c6d;
const CHARACTERS_SEED = 0x297a2d39;
const CLASS_SEED = 0x5bd1e995;
/** Most words between two classes that form a pair. */
const REACH = 6;
const CLASS_WEIGHT = 3;
const SHORTEST = 4;
const LONGEST = 4;
const SPACE = 0x20;

/**
 * Features of a text: hashes of its words, of pairs of neighbours, and of runs of 3 to 5 characters
 * that cross words (feature hashing, Weinberger et al. 2009; FNV-1a). Case, compatibility forms,
 * invisible marks, and the value of a digit make no difference.
 *
 * @returns indices below 2^FEATURE_BITS, repeated as often as they occur
 */
export function featuresOf(text: string): Uint32Array {
  const plain = plainText(text);
  const codes = codesOf(plain);
  const classes = wordClasses(plain);
  const features = new Uint32Array(
    codes.length * (LONGEST - SHORTEST + 3) + classes.length * (REACH + 2) * CLASS_WEIGHT,
  );
  let count = 0;
  for (let start = 0; start < codes.length; start += 1) {
    let hash = CHARACTERS_SEED;
    const end = Math.min(codes.length, start + LONGEST);
    for (let at = start; at < end; at += 1) {
      hash = mix(hash, codes[at] ?? 0);
      if (at - start + 1 >= SHORTEST) features[count++] = folded(hash);
    }
  }
  return addWords(codes, features, addClasses(classes, features, count));
}

/** Classes, and pairs of classes a few words apart, each as often as `CLASS_WEIGHT` says. */
function addClasses(classes: readonly string[], features: Uint32Array, from: number): number {
  let count = from;
  const add = (hash: number) => {
    for (let times = 0; times < CLASS_WEIGHT; times += 1) features[count++] = folded(hash);
  };
  const hashes = classes.map(hashOf);
  for (let at = 0; at < classes.length; at += 1) {
    const first = hashes[at] ?? 0;
    if (classes[at] === 'WORD') continue;
    add(first);
    for (let next = at + 1; next < Math.min(classes.length, at + 1 + REACH); next += 1) {
      if (classes[next] !== 'WORD') add(mix(mix(first, hashes[next] ?? 0), next - at > 1 ? 2 : 1));
    }
  }
  return count;
}

function hashOf(name: string): number {
  let hash = CLASS_SEED;
  for (let at = 0; at < name.length; at += 1) hash = mix(hash, name.charCodeAt(at));
  return hash;
}

function addWords(codes: Uint16Array, features: Uint32Array, from: number): Uint32Array {
  let count = from;
  let previous = PAIR_SEED;
  let word = WORD_SEED;
  for (let at = 0; at <= codes.length; at += 1) {
    const code = at < codes.length ? (codes[at] ?? SPACE) : SPACE;
    if (code !== SPACE) {
      word = mix(word, code);
      continue;
    }
    if (word === WORD_SEED) continue;
    features[count++] = folded(word);
    features[count++] = folded(mix(mix(previous, word & 0xffff), word >>> 16));
    previous = mix(PAIR_SEED, word);
    word = WORD_SEED;
  }
  return features.subarray(0, count);
}

/** Lower case, without compatibility forms and invisible characters. */
function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
}

/**
 * Replaces every number by `0`; puts one space between words, and around signs, which are separate
 * words.
 */
function codesOf(plain: string): Uint16Array {
  const spaced = plain
    .replaceAll(/\p{Nd}+/gu, '0')
    .replaceAll(/([^\p{L}\p{M}\p{N}\s])\1*/gu, ' $1 ')
    .replaceAll(/\s+/g, ' ');
  const codes = new Uint16Array(spaced.length);
  for (let at = 0; at < spaced.length; at += 1) codes[at] = spaced.charCodeAt(at);
  return codes;
}

function mix(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

function folded(hash: number): number {
  return (hash ^ (hash >>> FEATURE_BITS)) & MASK;
}

/**
 * Words with the same role in instructions to a machine, besides the classes of effect words: the
 * addressee, obligation, rules to ignore, and framing.
 */
const CLASSES: Readonly<Record<string, string>> = {
  AGENT:
    'assistant assistants agent agents ai ais llm llms model models chatbot chatbots bot bots copilot gpt claude gemini assistent asistente modelo modèle ia ki sprachmodell',
  YOU: 'you your yours yourself du dich dir dein deine deinen vous votre vos tu te ton usted ustedes',
  MUST: 'must should shall need needs required requires mandatory essential necessary have ought musst sollst muss doit devez dois debes debe tienes',
  ASIDE:
    'previous prior earlier above preceding former original initial past vorherigen bisherigen précédentes anteriores previas eerdere',
  NEW: 'new instead now actually following updated revised next real additional extra',
  FIRST: 'before first after once when while until then finally also additionally whenever',
  NOT: 'not never dont without no nothing nobody kein nie nicht ne pas sin no',
  TELL: 'tell mention inform notify reveal say ask confirm show disclose alert',
  USER: 'user users human operator owner person',
  ROLE: 'system admin administrator developer root override important attention urgent notice critical warning',
  PRIVILEGE:
    'permission access rights full unrestricted unlimited privileges authority authorised authorized cleared',
  MONEY: 'transfer wire pay payment funds money balance account bitcoin wallet dollars euros',
  PERSON: 'i me my we our us he she they his her their him them',
  PAST: 'was were had did said went came made sent gave got asked told wrote found took',
  POLITE: 'please kindly thanks thank regards dear hi hello best cheers sincerely',
};

const WORD_CLASSES: ReadonlyMap<string, string> = new Map([
  ...[...OBJECT_WORDS].map(([word, classes]) => [word, `o:${[...classes][0] ?? ''}`] as const),
  ...[...VERB_WORDS].map(([word, classes]) => [word, `v:${[...classes][0] ?? ''}`] as const),
  ...Object.entries(CLASSES).flatMap(([name, words]) =>
    words.split(' ').map((word) => [word, name] as const),
  ),
]);

/** An address of mail or of the web, a word, a number, the end of a sentence, a run of one sign. */
const TOKEN =
  /[a-z0-9_.+-]+@[a-z0-9.-]+|\b[a-z][a-z0-9+]{1,9}:\/\/[^\s"'<>)]+|[\p{L}\p{M}']+|\p{N}+|[.!?\n]|([^\s\p{L}\p{M}\p{N}])\1*/gu;

/**
 * Returns a lower-case text as a row of classes: a word's class if it has one, `ADDRESS`, `NUMBER`,
 * `STOP` at the end of a sentence, a sign itself; other words only mark their place.
 */
function wordClasses(text: string): readonly string[] {
  return (text.match(TOKEN) ?? []).map(classOf);
}

function classOf(token: string): string {
  const known = WORD_CLASSES.get(token);
  if (known !== undefined) return known;
  if (token === '.' || token === '!' || token === '?' || token === '\n') return 'STOP';
  if (/^[\p{L}\p{M}']/u.test(token)) return token.length > 2 && /[@:]/.test(token) ? 'ADDRESS' : 'WORD';
  return /^\p{N}/u.test(token) ? 'NUMBER' : token.slice(0, 1);
}
