import { isInflectedVerb } from '../arguments/effect-word.ts';
import { ATTACK_WORDS } from '../arguments/effect-words.ts';
import { namesHarm } from '../arguments/judge-instructions.ts';
import { ADMINISTRATION_TABLE } from './programs/administration-table.ts';
import { PROGRAMS } from './programs/program-table.ts';

const FUNCTION_WORDS = new Set(
  `of the that which with without via into from between and then when where before after while who whose to for by at
   against using through this these those a an is are was be it its their your our my in on as or not`.split(
    /\s+/,
  ),
);
const MAX_SIGNS = 400;

/** How surely a text is not a command, and whether it would be refused as an instruction. */
export type ProseKind = 'prose' | 'sentence' | 'harmful-prose';

/**
 * Recognizes a description in place of a command: a sentence without the signs of a command. Its
 * effect in a shell is unpredictable, and a reader who follows it does something else. A text that
 * begins with a known program's name needs more signs of a sentence: most programs take words.
 *
 * @param place absolute, for resolving paths in the text
 */
export function looksLikeProse(
  command: string,
  place: { readonly workingFolder: string; readonly home: string },
): ProseKind | undefined {
  if (command.length > MAX_SIGNS || /[|;&<>$`"'\\=]|(?:^|\s)-\w|\n/.test(command)) return undefined;
  const words = command.trim().split(/\s+/);
  const [first = '', ...rest] = words;
  if (words.length < 4 || FIRST.test(first)) return undefined;
  const plain = words.filter((word) => /^[A-Za-z][a-z'’-]+[,.:]?$/.test(word));
  const functional = rest.filter((word) => FUNCTION_WORDS.has(word.toLowerCase()));
  // A last word in -s is the object of the command: `list posts`.
  const inflected = rest.filter((word, at) => at < rest.length - 1 && isInflectedVerb(word));
  const telling = functional.length + inflected.length;
  if (telling === 0 || plain.length * 2 < words.length || words.length - telling < 3) return undefined;
  const attack = words.some((word) => ATTACK_WORDS.has(word.toLowerCase()));
  if (attack || namesHarm(command, { tool: '', args: {}, ...place })) return 'harmful-prose';
  const sentence = functional.length > 1;
  if (!PROGRAMS.has(first) && !ADMINISTRATION_TABLE.has(first)) return sentence ? 'sentence' : 'prose';
  return sentence || lacksAddress(first, rest) ? 'prose' : undefined;
}

/** A fetching program with words that can't be an address. */
function lacksAddress(program: string, words: readonly string[]): boolean {
  return PROGRAMS.get(program)?.role === 'fetch' && !words.some((word) => /[.:/]./.test(word));
}

/** Programs whose operands may be arbitrary words. */
const FIRST =
  /^(?:echo|printf|say|figlet|cowsay|toilet|banner|man|apropos|espeak|git|gh|grep|wall|notify-send|for|while|if|case|tldr|jrnl|task|dnote|s|surfraw|ddgr|googler|howdoi|cheat|at|read|dig|drill|kdig|host|nslookup)$/;
