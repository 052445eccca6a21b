const FUNCTION_WORDS = new Set(
  `of the that which with without via into from between and then when where before after while who whose to for by at
   against using through this these those a an is are was be it its their your our my in on as or not`.split(
    /\s+/,
  ),
);
const MAX_SIGNS = 400;

/** How sure it is that a text is no command: by its words, with a word or two of a sentence. */
export type ProseKind = 'prose' | 'sentence';

/**
 * Tells a description in place of a command: words of a sentence, and none of the signs that commands have.
 * Nobody can say what a shell would make of it, and whoever reads it as an instruction does something else.
 */
export function looksLikeProse(command: string): ProseKind | undefined {
  if (command.length > MAX_SIGNS || /[|;&<>$`"'\\=]|(?:^|\s)-\w|\n/.test(command)) return undefined;
  const words = command.trim().split(/\s+/);
  if (words.length < 4 || FIRST.test(words[0] ?? '')) return undefined;
  const plain = words.filter((word) => /^[A-Za-z][a-z'’-]+[,.:]?$/.test(word));
  const functional = words.slice(1).filter((word) => FUNCTION_WORDS.has(word.toLowerCase()));
  if (functional.length === 0 || plain.length * 2 < words.length || words.length - functional.length < 3)
    return undefined;
  return functional.length > 1 ? 'sentence' : 'prose';
}

/** Programs whose operands may be any words. */
const FIRST =
  /^(?:echo|printf|say|figlet|cowsay|toilet|banner|man|apropos|espeak|git|gh|grep|wall|notify-send|for|while|if|case|tldr|jrnl|task|dnote|s|surfraw|ddgr|googler|howdoi|cheat|at|read)$/;
