import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '../library/first-parts.ts';

/** Lines of at most `width` columns. @param text inert, or painted by us */
export function wrap(text: string, width: number): string[] {
  const columns = Math.max(1, width);
  return wrapTextWithAnsi(text.replaceAll('\t', '    '), columns).map((line) => clamp(line, columns));
}

/** One line of at most `width` columns; an ellipsis marks the cut. */
export function cut(text: string, width: number): string {
  const columns = Math.max(1, width);
  const line = text.replaceAll('\t', ' ');
  return visibleWidth(line) <= columns ? line : truncateToWidth(line, columns, '…');
}

/** Wrapped, the first line behind `first` and each other behind as many spaces. */
export function hang(first: string, text: string, width: number): string[] {
  const indent = visibleWidth(first);
  if (width - indent < 4) return wrap(`${first}${text}`, width);
  return wrap(text, width - indent).map((line, at) => (at === 0 ? first : ' '.repeat(indent)) + line);
}

/**
 * Lines of a text in columns: text that doesn't fit continues below the last column if most of the
 * width remains, otherwise after a small indent.
 */
export function columns(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const [lead = '', rest = ''] = /^(\s*(?:\S+(?: \S+)* {2,})?)(.*)$/.exec(line)?.slice(1) ?? [];
    if (visibleWidth(line) <= width) return [line];
    if (visibleWidth(lead) <= width / 2) return hang(lead, rest, width);
    return hang('  ', line.trim().replaceAll(/ {2,}/g, '  '), width).map((part, at) =>
      at === 0 ? part.trimStart() : part,
    );
  });
}

/** Each line behind a prefix, and cut. */
export function behind(prefix: string, lines: readonly string[], width: number): string[] {
  return lines.map((line) => clamp(prefix + line.replaceAll('\t', '    '), Math.max(1, width)));
}

/** A line that is too wide would end the program: the renderer rejects it. */
function clamp(line: string, width: number): string {
  return visibleWidth(line) <= width ? line : truncateToWidth(line, width, '');
}
