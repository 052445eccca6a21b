import { InvalidResponseDataError } from '@ai-sdk/provider';

/** A server that never ends a line must not fill the memory. In UTF-16 units. */
const LONGEST_LINE = 16 * 1024 * 1024;

/**
 * Splits text at line ends, in pieces of any size. Leaves out empty lines and keeps a last line
 * without an end.
 */
export function splitLines(): TransformStream<string, string> {
  let rest = '';
  return new TransformStream({
    transform(text, controller) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') controller.enqueue(line);
      if (rest.length > LONGEST_LINE) {
        controller.error(
          new InvalidResponseDataError({ data: undefined, message: 'a line of the answer has no end' }),
        );
      }
    },
    flush(controller) {
      if (rest.trim() !== '') controller.enqueue(rest);
    },
  });
}
