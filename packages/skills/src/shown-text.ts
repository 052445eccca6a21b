/** A text in which all characters are visible. */
export interface ShownText {
  readonly text: string;
  /** How many characters were made visible. */
  readonly hidden: number;
}

/**
 * Characters that a model reads but a person does not see: controls, formats (zero-width,
 * direction, tags), fillers, variation selectors, private and unassigned characters, separators of
 * lines and paragraphs. Unicode general categories C, Zl, Zp; UTS #39.
 */
const HIDDEN =
  /(?![\n\t])\p{C}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}|\u2800/gu;

/** Joins two emoji into one picture: visible, and common. */
const IN_EMOJI =
  /(?<=\p{Extended_Pictographic})\ufe0f|(?<=\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})/gu;

/**
 * Placeholders for parts of an emoji during the search; if already in a text, they are made
 * visible.
 */
const KEPT = ['\ue000', '\ue001'] as const;

/**
 * Makes invisible and direction-changing characters visible as `[U+200B]` (FT58). Line breaks and
 * tabs stay; `\r\n` becomes `\n`. Emoji stay whole. Linear in the text.
 */
export function showHidden(text: string): ShownText {
  let hidden = 0;
  const show = (character: string): string => {
    hidden += 1;
    return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
  };
  const plain = text.replaceAll('\r\n', '\n').replaceAll(/[\ue000\ue001]/g, show);
  const marked = plain.replaceAll(IN_EMOJI, (part) => (part === '\u200d' ? KEPT[0] : KEPT[1]));
  const shown = marked.replaceAll(HIDDEN, (character) =>
    character === KEPT[0] || character === KEPT[1] ? character : show(character),
  );
  return { text: shown.replaceAll(KEPT[0], '\u200d').replaceAll(KEPT[1], '\ufe0f'), hidden };
}

/** The same on one line: every run of blanks and line breaks is one blank. */
export function showOnOneLine(text: string): ShownText {
  const { text: shown, hidden } = showHidden(text.replaceAll(/[\r\n\t\v\f\u0085\u2028\u2029]/g, ' '));
  return { text: shown.replaceAll(/\p{Zs}+/gu, ' ').trim(), hidden };
}
