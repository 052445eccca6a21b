/**
 * Characters of a part that is judged separately: a few sentences. An instruction must not get lost
 * in a long page.
 */
const WINDOW = 320;
const STRIDE = 160;

/**
 * Overlapping parts of a text, cut between words where there are some. A short text is one part.
 */
export function textWindows(text: string): readonly string[] {
  if (text.length <= WINDOW) return [text];
  const windows: string[] = [];
  for (let start = 0; start < text.length - STRIDE / 2; start += STRIDE) {
    const from = start === 0 ? 0 : afterSpace(text, start);
    windows.push(text.slice(from, Math.max(from + 1, afterSpace(text, start + WINDOW))));
  }
  return windows;
}

function afterSpace(text: string, at: number): number {
  const space = text.indexOf(' ', at);
  return space < 0 || space > at + 24 ? at : space + 1;
}
