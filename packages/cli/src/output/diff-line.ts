import { visibleText } from '@bulkhead/protocol';
import type { Output } from './output.ts';

/**
 * One line of a unified diff, sanitized, without invisible characters, and coloured by its kind.
 */
export function diffLine(line: string, output: Output, other = (text: string) => text): string {
  const { red, green, cyan } = output.palette;
  const safe = output.safe(line);
  const text = output.isTerminal ? visibleText(safe) : safe;
  if (line.startsWith('+')) return green(text);
  if (line.startsWith('-')) return red(text);
  return line.startsWith('@@') ? cyan(text) : other(text);
}
