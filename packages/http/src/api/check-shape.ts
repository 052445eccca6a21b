import { refusal } from '../answer.ts';

/** Members and elements of one body, all levels together. */
const MAX_VALUES = 250_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/**
 * Counts the values of a JSON text without parsing it: eight million empty lists are 24 MB of text
 * but gigabytes of memory, and parsing them blocks the engine.
 *
 * @throws BulkheadError `usage` (413)
 */
export function checkShape(json: Uint8Array): void {
  let values = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) isInText = !isInText;
    // An escaped quote does not end a text.
    else if (byte === BACKSLASH && isInText) at += 1;
    else if (!isInText && (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT)) values += 1;
  }
  if (values > MAX_VALUES)
    throw refusal(413, 'usage', `a body has at most ${MAX_VALUES} members and elements in all`);
}
