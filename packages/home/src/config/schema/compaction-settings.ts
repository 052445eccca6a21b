import * as z from 'zod';
import { group } from './group.ts';

const at = z.number().min(0.02).max(0.95);
const keep = z.number().min(0.02).max(0.6);

export const compactionSettings = group({
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether long conversations are summarised by themselves. /compact does it either way.'),
  at: at
    .default(0.7)
    .describe("Share of the model's window, without system part and answer, from which on it is done."),
  keep: keep
    .default(0.3)
    .describe('Share of it that the newest messages may have, which are kept as they are.'),
  models: z
    .array(
      group({
        model: z
          .string()
          .regex(/^[a-z0-9-]+\/./, 'not a name like anthropic/claude-sonnet-4-5')
          .max(256)
          .describe('provider/model, as `bulkhead status` names it.'),
        at: at.optional().describe('Instead of compaction.at.'),
        keep: keep.optional().describe('Instead of compaction.keep.'),
      }),
    )
    .max(64)
    .default([])
    .describe(
      'Models for which other shares hold: one with a very large window, say, is dear when it is full.',
    ),
});
