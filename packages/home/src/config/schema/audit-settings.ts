import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { group, seconds } from './group.ts';

const MAX_WITNESSES = 8;
const SLOW_SECONDS = 5;

const witness = group({
  file: z
    .string()
    .refine(isAbsolute, { error: 'not an absolute path' })
    .optional()
    .describe(
      'A file that checkpoints are added to, out of the reach of the engine: append-only, or on another machine.',
    ),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('A server that keeps the checkpoints it is sent (POST) and tells the last one (GET).'),
}).refine(({ file, url }) => (file === undefined) !== (url === undefined), {
  error: 'a witness is either a file or a url',
});

/** Copies of the audit log's signed state, in a place that the engine's user can't change. */
export const auditSettings = group({
  witnesses: z
    .array(witness)
    .max(MAX_WITNESSES)
    .default([])
    .describe('Who keeps copies of the signed checkpoints of the audit log.'),
  onWitnessProblem: z
    .enum(['warn', 'halt'])
    .default('warn')
    .describe(
      'When a witness is out of reach, slow, or has lost something. warn: it is recorded. halt: nothing is done.',
    ),
  witnessTimeoutSeconds: seconds(SLOW_SECONDS).describe('A witness that takes longer is slow.'),
});
