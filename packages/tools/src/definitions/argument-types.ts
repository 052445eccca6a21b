import * as z from 'zod';

/** Linux' PATH_MAX: no call with a longer path can succeed. */
const MAX_PATH_BYTES = 4096;

/**
 * Text as JSON can carry it and UTF-8 can store it: a lone surrogate would silently become another
 * character.
 */
export function textArgument(maxBytes: number) {
  return z
    .string()
    .refine((text) => text.isWellFormed(), {
      error: 'has a lone surrogate, which no file or command can hold',
    })
    .refine((text) => Buffer.byteLength(text) <= maxBytes, { error: `is longer than ${maxBytes} bytes` });
}

/** Text that is not blank and holds no NUL, where system calls would cut it. */
export function nameArgument(maxBytes: number) {
  return textArgument(maxBytes)
    .refine((text) => text.length > 0, { error: 'is empty' })
    .refine((text) => !text.includes('\0'), { error: 'has a NUL character' });
}

export function pathArgument() {
  return nameArgument(MAX_PATH_BYTES);
}

/** A count or position: a whole number from `min` to `max`. */
export function numberArgument(min: number, max: number) {
  return z.int().min(min).max(max);
}
