/** What could begin a closing mark: every spelling of `<` that a reader takes for one, before a slash. */
const CLOSER = /[<\uff1c\ufe64\u2039\u3008\u27e8](?=\s*[/\uff0f\u2044\u2215\u29f8])/g;

/** Text as data: between marks, with nothing in it that could close them. The same text gives the same bytes. */
export function asData(text: string): string {
  return `<untrusted_input>\n${text.replaceAll(CLOSER, '&lt;')}\n</untrusted_input>`;
}
