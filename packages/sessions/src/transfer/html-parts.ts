import { escapeHtml } from './escape-html.ts';

/** Text with its line breaks. */
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

/** A part with a title that is opened on demand. @param inside already escaped */
export function folded(title: string, inside: string): string {
  return `<details><summary>${escapeHtml(title)}</summary>${inside}</details>`;
}

/** An error: marked, and open from the start. @param inside already escaped */
export function openError(title: string, inside: string): string {
  return `<details class="error" open=""><summary>${escapeHtml(title)}</summary>${inside}</details>`;
}

/** @param time milliseconds since the epoch; one outside the calendar gives nothing */
export function timeHtml(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const iso = date.toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
