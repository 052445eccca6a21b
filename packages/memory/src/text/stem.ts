/*
 * The suffix-stripping algorithm of M. F. Porter (1980), with the later change that `y` becomes `i`
 * only after a consonant that is not the first letter. A stem is a search key, never displayed.
 */

const VOWEL = /[aeiouy]/u;
const STEP_2: readonly (readonly [suffix: string, becomes: string])[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['bli', 'ble'],
  ['eli', 'e'],
];
const STEP_3: readonly (readonly [suffix: string, becomes: string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];
const STEP_4: readonly string[] = [
  ...[
    'ement',
    'ance',
    'ence',
    'able',
    'ible',
    'ment',
    'ant',
    'ent',
    'ism',
    'ate',
    'iti',
    'ous',
    'ive',
    'ize',
  ],
  ...['al', 'er', 'ic', 'ou'],
];

/**
 * @param word - Lower case, accents folded. With characters other than `a` to `z` it is returned
 * unchanged.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/u.test(word)) return word;
  return tidyEnd(stripFour(replaceLongest(replaceLongest(stripVerb(stripPlural(word)), STEP_2), STEP_3)));
}

function stripPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1);
  if (word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us')) return word.slice(0, -1);
  return word;
}

function stripVerb(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  for (const suffix of ['ed', 'ing']) {
    const base = word.slice(0, -suffix.length);
    if (word.endsWith(suffix) && base.length > 1 && VOWEL.test(base)) return softY(mendBase(base));
  }
  return softY(word);
}

/**
 * Changes the rest of `hop
 * ped`, `conflat
 * ed`, `hop
 * ing` to the base of `hop`, `conflate`, `hope`.
 */
function mendBase(base: string): string {
  if (/(?:at|bl|iz)$/u.test(base)) return `${base}e`;
  if (/([^aeiouylsz])\1$/u.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && endsShort(base) ? `${base}e` : base;
}

function softY(word: string): string {
  return word.length > 2 && /[^aeiou]y$/u.test(word) ? `${word.slice(0, -1)}i` : word;
}

function replaceLongest(word: string, table: typeof STEP_2): string {
  for (const [suffix, becomes] of table) {
    if (!word.endsWith(suffix)) continue;
    const base = word.slice(0, -suffix.length);
    return measure(base) > 0 ? base + becomes : word;
  }
  return word;
}

function stripFour(word: string): string {
  if (/[st]ion$/u.test(word) && measure(word.slice(0, -3)) > 1) return word.slice(0, -3);
  for (const suffix of STEP_4) {
    if (!word.endsWith(suffix)) continue;
    const base = word.slice(0, -suffix.length);
    return measure(base) > 1 ? base : word;
  }
  return word;
}

function tidyEnd(word: string): string {
  let tidy = word;
  if (tidy.endsWith('e')) {
    const base = tidy.slice(0, -1);
    const count = measure(base);
    if (count > 1 || (count === 1 && !endsShort(base))) tidy = base;
  }
  return tidy.endsWith('ll') && measure(tidy) > 1 ? tidy.slice(0, -1) : tidy;
}

/** The number of vowel runs with a consonant run after them. */
function measure(base: string): number {
  let count = 0;
  let afterVowel = false;
  for (let at = 0; at < base.length; at += 1) {
    const vowel = isVowel(base, at);
    if (afterVowel && !vowel) count += 1;
    afterVowel = vowel;
  }
  return count;
}

function isVowel(word: string, at: number): boolean {
  const letter = word.charAt(at);
  if (letter === 'y') return at > 0 && !isVowel(word, at - 1);
  return 'aeiou'.includes(letter);
}

/** Consonant, vowel, consonant other than w, x, y. */
function endsShort(base: string): boolean {
  const last = base.length - 1;
  if (last < 2 || 'wxy'.includes(base.charAt(last))) return false;
  return !isVowel(base, last) && isVowel(base, last - 1) && !isVowel(base, last - 2);
}
