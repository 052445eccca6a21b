/** Characters in a text that a reader can't see. */
export interface HiddenCharacters {
  /** From 1. */
  readonly line: number;
  readonly count: number;
}

/**
 * Characters that are only visible together: composed emoji, keycaps, and joiners of some scripts.
 */
const SEEN = String.raw`\p{Extended_Pictographic}\uFE0F?[\u{1F3FB}-\u{1F3FF}]?(?:\u200D\p{Extended_Pictographic}\uFE0F?[\u{1F3FB}-\u{1F3FF}]?)*|[0-9#*]\uFE0F\u20E3|(?<=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Mlym}\p{sc=Sinh}])[\u200C\u200D](?=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Mlym}\p{sc=Sinh}])`;
/**
 * Controls, formats (zero width, bidirectional, tags), separators of lines, private use, broken
 * halves, fillers.
 */
const HIDDEN = String.raw`(?:(?![\t\n\r])\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Co}|\p{Cs}|\p{Default_Ignorable_Code_Point}|\u2800)+`;
const PATTERN = new RegExp(`(?:${SEEN})|(?<hidden>${HIDDEN})`, 'gu');

/**
 * Makes characters visible that could hide text in a text (FT58): a run of them becomes
 * `[3 hidden characters]`. A byte order mark at the start is dropped.
 */
export function hiddenShown(text: string): {
  readonly text: string;
  readonly found: readonly HiddenCharacters[];
} {
  const found: HiddenCharacters[] = [];
  let line = 1;
  let counted = 0;
  const whole = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const shown = whole.replace(PATTERN, (run: string, hidden: string | undefined, offset: number) => {
    if (hidden === undefined) return run;
    for (let at = whole.indexOf('\n', counted); at >= 0 && at < offset; at = whole.indexOf('\n', counted)) {
      line += 1;
      counted = at + 1;
    }
    const count = [...hidden].length;
    found.push({ line, count });
    return `[${count} hidden character${count === 1 ? '' : 's'}]`;
  });
  return { text: shown, found };
}
