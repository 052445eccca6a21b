import * as z from 'zod';
import { group } from './group.ts';

/** Memory across sessions. */
export const memorySettings = group({
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether turns are shown memory, and tools search and write it. The files stay as they are.'),
  sessions: z.boolean().default(true).describe('Whether past sessions are found by a search of memory.'),
  review: z
    .enum(['auto', 'ask'])
    .default('auto')
    .describe(
      'What is captured without being asked for: auto writes it, ask lets you decide (memory review).',
    ),
});
