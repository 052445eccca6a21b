import * as z from 'zod';

/**
 * Text, or base64 of bytes that are no UTF-8: ripgrep's JSON lines format, `grep_printer::JSON`.
 */
const bytesSchema = z
  .union([z.object({ text: z.string() }), z.object({ bytes: z.base64() })])
  .transform((value) => ('text' in value ? Buffer.from(value.text) : Buffer.from(value.bytes, 'base64')));

const matchSchema = z.object({
  type: z.literal('match'),
  data: z.object({
    path: bytesSchema,
    lines: bytesSchema,
    line_number: z.int(),
    submatches: z.array(z.object({ start: z.int() })),
  }),
});

export interface MatchEvent {
  readonly path: Buffer;
  readonly line: Buffer;
  readonly lineNumber: number;
  /** Byte of the line at which the first match begins. */
  readonly start: number;
}

const MATCH_LINE = Buffer.from('{"type":"match"');

/** @returns undefined for every other event of the format */
export function parseMatchEvent(json: Buffer): MatchEvent | undefined {
  if (!json.subarray(0, MATCH_LINE.length).equals(MATCH_LINE)) return undefined;
  const { data } = matchSchema.parse(JSON.parse(json.toString('utf8')));
  return {
    path: data.path,
    line: data.lines,
    lineNumber: data.line_number,
    start: data.submatches[0]?.start ?? 0,
  };
}
