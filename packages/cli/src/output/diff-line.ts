import type { Output } from './output.ts';

/** One line of a unified diff, made harmless and coloured by what it says. */
export function diffLine(line: string, output: Output, other = (text: string) => text): string {
  const { red, green, cyan } = output.palette;
  const text = output.safe(line);
  if (line.startsWith('+')) return green(text);
  if (line.startsWith('-')) return red(text);
  return line.startsWith('@@') ? cyan(text) : other(text);
}
