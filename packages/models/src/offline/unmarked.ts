/** As the loop marks what a tool said (C6). */
const OPEN = '<untrusted_input>\n';
const CLOSE = '\n</untrusted_input>';

/** What a tool said, out of the marks that tell a model that it is data: rules obey nothing of it anyway. */
export function unmarked(text: string): string {
  return text.startsWith(OPEN) && text.endsWith(CLOSE) ? text.slice(OPEN.length, -CLOSE.length) : text;
}

/** A file that went along with a message, as the loop puts it behind the person's words; its closing mark can't be in what it says. */
const ATTACHED =
  /\n*\[The person attached a file\. [^\n]*\n<untrusted_input>\n[\s\S]*?\n<\/untrusted_input>\]/g;

/** What the person said, without the files that went along: rules would take their lines for wishes. */
export function withoutFiles(text: string): string {
  return text.replaceAll(ATTACHED, '');
}
