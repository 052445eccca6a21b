import * as z from 'zod';
import { group } from './group.ts';

export const compactionSettings = group({
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether long conversations are summarised by themselves. /compact does it either way.'),
  at: z
    .number()
    .min(0.1)
    .max(0.95)
    .default(0.7)
    .describe("Share of the model's window, without system part and answer, from which on it is done."),
  keep: z
    .number()
    .min(0.05)
    .max(0.6)
    .default(0.3)
    .describe('Share of it that the newest messages may have, which are kept as they are.'),
});
