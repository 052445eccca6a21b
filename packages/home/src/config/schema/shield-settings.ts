import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { group } from './group.ts';

/** Judges of actions beside the policy. */
export const shieldSettings = group({
  evaluationsPerMinute: z
    .int()
    .min(0)
    .max(10_000)
    .default(30)
    .describe('Actions that the model judges within a minute.'),
  evaluationsPerDay: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(500)
    .describe('Actions that the model judges in a day (UTC).'),
  classifier: z
    .enum(['off', 'escalate'])
    .default('escalate')
    .describe(
      'escalate: what is remembered or sent is asked about if it reads like an order to an agent. off: it is not looked at.',
    ),
  model: z
    .string()
    .refine(isAbsolute, { error: 'not an absolute path' })
    .optional()
    .describe('A folder with model.onnx, in place of the classifier that comes with Bulkhead.'),
  threshold: z
    .number()
    .min(0.5)
    .max(1)
    .optional()
    .describe('Probability from which on that model makes a question.'),
});
