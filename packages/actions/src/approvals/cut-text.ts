/** A text without its middle, and how much of it is missing. @param head, tail characters that stay */
export function middleLeftOut(text: string, head: number, tail: number): string {
  const left = text.length - head - tail;
  const cutOut = `${text.slice(0, head)}[… ${left} characters are not shown …]${text.slice(-tail)}`;
  // A pair of surrogates may have been parted.
  return cutOut.toWellFormed();
}

/** Lines that stay, at either end. */
export interface LineLimit {
  readonly head: number;
  readonly tail: number;
}

/** The first and the last lines, and how many are missing between them. */
export function withoutMiddleLines(lines: readonly string[], { head, tail }: LineLimit): readonly string[] {
  if (lines.length <= head + tail) return lines;
  return [
    ...lines.slice(0, head),
    `[… ${lines.length - head - tail} lines are not shown …]`,
    ...lines.slice(-tail),
  ];
}

/** A character, or an escape that stands for one, forty times and more. */
const RUN = /(\\u\{[0-9a-f]{1,6}\}|\\u[0-9a-f]{4}|\\[nrt]|.)\1{39,}/gsu;

/** Padding pushes what matters out of sight: a run of one character is shown by its length. */
export function runsCounted(text: string): string {
  return text.replaceAll(RUN, (run, unit: string) => {
    const count = run.length / unit.length;
    return `${unit.repeat(4)}[… ${count - 4} more of the same …]`;
  });
}
