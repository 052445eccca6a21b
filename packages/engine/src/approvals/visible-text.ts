/**
 * Makes every character visible that could mislead a reader about what is shown: controls, bidirectional
 * overrides, zero-width and tag characters become `\u{…}`. Line breaks and tabs stay when `keepLines` is set.
 *
 * Source of the ranges: Unicode general categories Cc, Cf, Zl, Zp, plus variation selectors and fillers that
 * render as nothing (UTR #36, UTS #39).
 */
export function visibleText(text: string, keepLines = true): string {
  return text.replace(HIDDEN, (character) => {
    if (keepLines && (character === '\n' || character === '\t')) return character;
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

const HIDDEN =
  /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Co}|\p{Cs}|\p{Variation_Selector}|\u115f|\u1160|\u3164|\uffa0/gu;
