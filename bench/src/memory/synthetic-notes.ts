/** Words of the vocabulary; the commonest is in nearly every note, half of them in one or two. */
const VOCABULARY = 200_000;
const WORDS_PER_LINE = 14;

/** Numbers between 0 and 1 that look random and are the same every time. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A word as often as its rank says (Zipf's law). */
function zipfWord(random: () => number): string {
  return wordOf(Math.floor(VOCABULARY ** random()));
}

/** A text of lines as notes have them. @param words in all */
export function noteText(random: () => number, words: number): string {
  const lines: string[] = [];
  for (let left = words; left > 0; left -= WORDS_PER_LINE) {
    const line = Array.from({ length: Math.min(left, WORDS_PER_LINE) }, () => zipfWord(random));
    lines.push(`- ${line.join(' ')}.`);
  }
  return `${lines.join('\n')}\n`;
}

/** A person's question: a few words, common and rare. */
export function question(random: () => number): string {
  return Array.from({ length: 5 + Math.floor(random() * 5) }, () => zipfWord(random)).join(' ');
}

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';

/** A pronounceable word, another one for each number. */
function wordOf(number: number): string {
  let word = '';
  for (let rest = number; rest > 0 || word === ''; ) {
    word += CONSONANTS.charAt(rest % CONSONANTS.length);
    rest = Math.floor(rest / CONSONANTS.length);
    word += VOWELS.charAt(rest % VOWELS.length);
    rest = Math.floor(rest / VOWELS.length);
  }
  return word;
}
