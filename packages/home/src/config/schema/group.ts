import * as z from 'zod';
import { looksLikeSecret } from './secret-name.ts';

/**
 * A part of `config.yaml` that accepts only its own keys. A key that looks like a secret gets its
 * own error: its value must not be in this file under any name.
 */
export function group<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) => {
      const secret = issue.code === 'unrecognized_keys' ? issue.keys.find(looksLikeSecret) : undefined;
      return secret === undefined
        ? undefined
        : `"${secret}" looks like a secret, and secrets never stand in this file: take it out, and store it with \`bulkhead config secret NAME\``;
    },
  });
}

/** Up to a day. */
export function seconds(fallback: number) {
  return z.number().positive().max(86_400).default(fallback);
}

/** MiB of one boxed Node: of less than the smallest it does not start. */
export function memory(fallback: number) {
  return z.int().min(1_024).max(65_536).default(fallback);
}
