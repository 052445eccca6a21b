import type { MessageItem } from '@bulkhead/protocol/transcript';
import { behind, cut, hang, wrap } from '../look/fit.ts';
import type { Look } from '../look/look.ts';
import type { GrowingMarkdown } from './markdown-text.ts';
import { markdownLines } from './markdown-text.ts';

/** Lines of a person's own message, folded and in full. */
const SAID_LINES = 40;
const ALL_LINES = 500;
/** An upper bound for a screen's width. */
const CHARACTERS_A_LINE = 400;

/** A message as lines. @param growing caches the drawn part of an answer that streams */
export function messageLines(
  item: MessageItem,
  look: Look,
  width: number,
  growing?: GrowingMarkdown,
): string[] {
  if (item.role === 'user') return userLines(item.text, look, width);
  const thinking = thinkingLines(item, look, width);
  const text =
    growing === undefined ? markdownLines(item.text, look, width) : growing.render(item.text, look, width);
  const missed = item.missed
    ? [look.style.dim(cut('… some text was missed; the complete message follows', width))]
    : [];
  const gap = thinking.length > 0 && text.length > 0 ? [''] : [];
  return [...thinking, ...gap, ...text, ...missed, ...stopLines(item, look, width)];
}

/** The beginning of a long paste that was sent; its recipient has the rest. */
function userLines(text: string, { style, expanded }: Look, width: number): string[] {
  const most = expanded ? ALL_LINES : SAID_LINES;
  const start = text.slice(0, most * CHARACTERS_A_LINE).trimEnd();
  const lines = hang('› ', start, width);
  const isWhole = lines.length <= most && start.length === text.trimEnd().length;
  const shown = lines.slice(0, most).map((line) => style.person(line));
  if (isWhole) return shown;
  const more = `  … ${text.length} characters in all${expanded ? '' : ' (Ctrl-O shows more)'}`;
  return [...shown, style.dim(cut(more, width))];
}

/** Folded, a line says that thinking exists, and how to see it. */
function thinkingLines({ thinking, streaming, text }: MessageItem, look: Look, width: number): string[] {
  const { style } = look;
  if (thinking.trim() === '') return [];
  if (look.thinking) {
    const lines = wrap(thinking.trim(), width - 2).map((line) => style.italic(style.dim(line)));
    return [style.dim('▾ thinking'), ...behind(style.dim('│ '), lines, width)];
  }
  const count = thinking.trim().split('\n').length;
  const how = streaming && text === '' ? 'thinking…' : `thought, ${count} ${count === 1 ? 'line' : 'lines'}`;
  return [style.dim(cut(`▸ ${how} (Ctrl-T shows it)`, width))];
}

/** Why an answer ended early. */
function stopLines({ stopReason }: MessageItem, { style }: Look, width: number): string[] {
  if (stopReason === 'length')
    return [style.warning(cut('(cut off: the answer reached its limit of tokens)', width))];
  if (stopReason === 'content_filter')
    return [style.warning(cut('(cut off by the provider’s filter)', width))];
  return [];
}
