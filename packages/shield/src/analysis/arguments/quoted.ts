const MAX_SHOWN = 80;

/** Formats a call's text for a reason: one short line without invisible characters. */
export function quoted(text: string): string {
  const short = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return JSON.stringify(short).replaceAll(
    /[^\x20-\x7e…]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
