/**
 * Cuts the middle of a text, and returns how much is missing. @param head, tail characters that
 * stay
 */
export function middleLeftOut(text: string, head: number, tail: number): string {
  const left = text.length - head - tail;
  const cutOut = `${text.slice(0, head)}[… ${left} characters are not shown …]${text.slice(-tail)}`;
  // The cut may have split a surrogate pair.
  return cutOut.toWellFormed();
}

/** Lines that stay at each end. */
export interface LineLimit {
  readonly head: number;
  readonly tail: number;
}

/** Returns the first and last lines, and how many are missing between them. */
export function withoutMiddleLines(lines: readonly string[], { head, tail }: LineLimit): readonly string[] {
  if (lines.length <= head + tail) return lines;
  return [
    ...lines.slice(0, head),
    `[… ${lines.length - head - tail} lines are not shown …]`,
    ...lines.slice(-tail),
  ];
}

/** A character, or its escape, repeated at least forty times. */
const RUN = /(\\u\{[0-9a-f]{1,6}\}|\\u[0-9a-f]{4}|\\[nrt]|.)\1{39,}/gsu;

/** Padding hides important text: a run of one character is replaced by its length. */
export function runsCounted(text: string): string {
  return text.replaceAll(RUN, (run, unit: string) => {
    const count = run.length / unit.length;
    return `${unit.repeat(4)}[… ${count - 4} more of the same …]`;
  });
}
