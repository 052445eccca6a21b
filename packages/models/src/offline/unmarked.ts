/** As the loop marks what a tool said (C6). */
const OPEN = '<untrusted_input>\n';
const CLOSE = '\n</untrusted_input>';

/** What a tool said, out of the marks that tell a model that it is data: rules obey nothing of it anyway. */
export function unmarked(text: string): string {
  return text.startsWith(OPEN) && text.endsWith(CLOSE) ? text.slice(OPEN.length, -CLOSE.length) : text;
}
