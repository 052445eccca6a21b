/**
 * Makes every character visible that could mislead a reader about what is shown: controls, bidirectional
 * overrides, zero-width and tag characters become `\u{…}`. Line breaks and tabs stay when `keepLines` is set.
 * Blanks that are no plain space are shown too.
 *
 * Source of the ranges: Unicode general categories C (with what is not assigned), Zl, Zp, plus variation selectors and fillers that
 * render as nothing (UTR #36, UTS #39), the property Default_Ignorable_Code_Point,
 * and category Zs without the space.
 */
export function visibleText(text: string, keepLines = true): string {
  return text.replace(HIDDEN, (character) => {
    if (keepLines && (character === '\n' || character === '\t')) return character;
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

const HIDDEN =
  /\p{C}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}|\u2800/gu;
