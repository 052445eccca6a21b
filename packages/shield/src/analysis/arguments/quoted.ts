const MAX_SHOWN = 80;

/** A text of a call, as it stands in a reason: on one line, short, with nothing in it that can't be seen. */
export function quoted(text: string): string {
  const short = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return JSON.stringify(short).replaceAll(
    /[^\x20-\x7e…]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
