import { escapeHtml } from './escape-html.ts';

/** Text as it was written, its line breaks kept. */
export function paragraph(text: string): string {
  return text === '' ? '' : `<div class="text" dir="auto">${escapeHtml(text)}</div>`;
}

/** Text of a fixed width. */
export function preformatted(text: string): string {
  return pre(escapeHtml(text));
}

/** @param html escaped already */
export function pre(html: string): string {
  // A page drops a line break that follows the tag.
  return `<pre dir="auto">${html.startsWith('\n') ? '\n' : ''}${html}</pre>`;
}

/** Something with a title that is opened on demand. @param inside escaped already */
export function folded(title: string, inside: string): string {
  return `<details><summary>${escapeHtml(title)}</summary>${inside}</details>`;
}

/** Something that went wrong: marked, and open from the start. @param inside escaped already */
export function openError(title: string, inside: string): string {
  return `<details class="error" open=""><summary>${escapeHtml(title)}</summary>${inside}</details>`;
}

/** @param time milliseconds since the epoch; one that no calendar holds gives nothing */
export function timeHtml(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const iso = date.toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
