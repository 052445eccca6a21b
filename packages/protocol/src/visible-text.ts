/**
 * Makes every character visible that could mislead a reader about the shown text: controls,
 * bidirectional overrides, zero-width and tag characters, and blanks that are no plain space become
 * `\u{…}`. For text that is read letter by letter: an action, a diff, the name of a file or tool.
 * Line breaks and tabs stay when `keepLines` is set. Joiners and selectors stay where they are
 * visible: within an emoji, and between letters of scripts that use them.
 *
 * Source of the ranges: Unicode general categories C (with unassigned ones), Zl, Zp, plus variation
 * selectors and fillers that render as nothing (UTR #36, UTS #39, UTS #51), the property
 * Default_Ignorable_Code_Point, and category Zs without the space.
 */
export function visibleText(text: string, keepLines = true): string {
  return text.replace(HIDDEN, (character) => {
    if (keepLines && (character === '\n' || character === '\t')) return character;
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

const JOINED = String.raw`[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Mlym}\p{sc=Sinh}]`;

/** Visible because of its neighbours. */
const SEEN = [
  String.raw`(?<=\p{Extended_Pictographic})\ufe0f`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=${JOINED})[\u200c\u200d](?=${JOINED})`,
].join('|');

const NOT_SEEN = String.raw`\p{C}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}|\u2800`;

const HIDDEN = new RegExp(`(?!${SEEN})(?:${NOT_SEEN})`, 'gu');
