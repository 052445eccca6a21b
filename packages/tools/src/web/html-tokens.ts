import { decodeReferences } from './character-references.ts';

/** A piece of HTML, in order. Names are in lower case; character references are decoded. */
export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string };

/** Elements whose content is no markup. */
const RAW: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
]);
const TAG_NAME = /[A-Za-z][^\s/>]{0,60}[^\s/>]*/y;
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/y;

/**
 * Cuts HTML into tokens, in time linear in its length whatever it holds: no position is looked at more than a fixed
 * number of times, nothing is nested, and what is not closed reaches to the end.
 */
export function* htmlTokens(html: string): Generator<HtmlToken, void, undefined> {
  let at = 0;
  while (at < html.length) {
    const less = html.indexOf('<', at);
    const end = less < 0 ? html.length : less;
    if (end > at) yield { kind: 'text', text: decodeReferences(html.slice(at, end)) };
    if (less < 0) return;
    at = yield* markup(html, less);
  }
}

/** @returns where to go on */
function* markup(html: string, less: number): Generator<HtmlToken, number, undefined> {
  const next = html[less + 1] ?? '';
  if (next === '!' || next === '?') return afterDeclaration(html, less);
  const closing = next === '/';
  const name = matchAt(TAG_NAME, html, less + (closing ? 2 : 1))?.[0];
  if (name === undefined) {
    if (closing) return after(html, '>', less);
    yield { kind: 'text', text: '<' };
    return less + 1;
  }
  const lower = name.toLowerCase();
  const { attributes, end } = attributesAt(html, less + (closing ? 2 : 1) + name.length);
  yield closing ? { kind: 'close', name: lower } : { kind: 'open', name: lower, attributes };
  if (closing || !RAW.has(lower)) return end;
  return yield* rawText(html, lower, end);
}

function* rawText(html: string, name: string, start: number): Generator<HtmlToken, number, undefined> {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = start;
  const found = closing.exec(html);
  const end = found?.index ?? html.length;
  const text = html.slice(start, end);
  const decoded = name === 'title' || name === 'textarea' ? decodeReferences(text) : text;
  if (text !== '') yield { kind: 'text', text: decoded };
  yield { kind: 'close', name };
  return found === null ? end : after(html, '>', end);
}

function afterDeclaration(html: string, less: number): number {
  if (!html.startsWith('<!--', less)) return after(html, '>', less);
  // `<!-->` and `<!--->` are whole comments.
  if (html.startsWith('>', less + 4)) return less + 5;
  if (html.startsWith('->', less + 4)) return less + 6;
  return after(html, '-->', less + 4);
}

function after(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from);
  return found < 0 ? html.length : found + text.length;
}

function attributesAt(
  html: string,
  start: number,
): { readonly attributes: ReadonlyMap<string, string>; readonly end: number } {
  const attributes = new Map<string, string>();
  let at = start;
  while (at < html.length && html[at] !== '>') {
    const found = matchAt(ATTRIBUTE, html, at);
    if (found === undefined) {
      at += 1;
      continue;
    }
    const [whole, name = '', double, single, bare] = found;
    at += whole.length;
    const lower = name.toLowerCase();
    if (!attributes.has(lower)) attributes.set(lower, decodeReferences(double ?? single ?? bare ?? ''));
  }
  return { attributes, end: at + 1 };
}

/** Of a sticky pattern. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  return sticky.exec(text) ?? undefined;
}
