/** The loop's marks around a tool's text (C6). */
const OPEN = '<untrusted_input>\n';
const CLOSE = '\n</untrusted_input>';

/**
 * A tool's text, without the marks that show a model that it is data: these rules never obey it.
 */
export function unmarked(text: string): string {
  return text.startsWith(OPEN) && text.endsWith(CLOSE) ? text.slice(OPEN.length, -CLOSE.length) : text;
}

/**
 * A file attached to a message, as the loop puts it after the person's words; its text can't
 * contain the closing mark.
 */
const ATTACHED =
  /\n*\[The person attached a file\. [^\n]*\n<untrusted_input>\n[\s\S]*?\n<\/untrusted_input>\]/g;

/** The person's words without attached files, whose lines the rules would take for requests. */
export function withoutFiles(text: string): string {
  return text.replaceAll(ATTACHED, '');
}
