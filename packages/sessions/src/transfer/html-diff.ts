import { escapeHtml } from './escape-html.ts';
import { pre } from './html-parts.ts';

/**
 * A tool's description of its change for the user: a unified diff with marked lines, anything else
 * unchanged.
 */
export function diffHtml(display: string): string {
  const text = display.replace(/\n$/, '');
  const lines = text.split('\n');
  // Before the first hunk, + and - begin the names of files.
  const start = lines.findIndex((line) => line.startsWith('@@ '));
  if (start < 0) return pre(escapeHtml(text));
  return pre(lines.map((line, place) => (place < start ? escapeHtml(line) : lineHtml(line))).join('\n'));
}

function lineHtml(line: string): string {
  const text = escapeHtml(line);
  if (line.startsWith('+')) return `<ins>${text}</ins>`;
  return line.startsWith('-') ? `<del>${text}</del>` : text;
}
