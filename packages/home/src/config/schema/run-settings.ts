import * as z from 'zod';
import { group, seconds } from './group.ts';

export const limits = group({
  maxRounds: z.int().min(1).max(1_000).default(200).describe('Model rounds for one message.'),
  maxOutputTokens: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe("Most tokens of one model answer. Default: the model's own maximum."),
});

export const timeouts = group({
  firstTokenSeconds: seconds(60).describe("Until the first piece of a model's answer."),
  idleSeconds: seconds(60).describe("Between two pieces of a model's answer."),
  answerSeconds: seconds(1_800).describe("Until the end of a model's answer."),
  evaluationSeconds: seconds(30).describe('Until the model that judges an action counts as absent.'),
  approvalSeconds: seconds(300).describe('Until a question nobody answered counts as no.'),
  clientToolSeconds: seconds(300).describe('Until a call that its program did not answer counts as failed.'),
});

export const retry = group({
  enabled: z.boolean().default(true).describe('Whether a failed model call is made again.'),
  maxRetries: z.int().min(0).max(20).default(3).describe('Tries of each model after its first.'),
  baseDelaySeconds: seconds(2).describe('Wait before the first retry; it doubles with each.'),
  maxDelaySeconds: seconds(60).describe('Longest wait. A provider that asks for more is not waited for.'),
  jitter: z.boolean().default(false).describe('Whether half of each wait is left to chance.'),
  cooldownSeconds: seconds(60).describe('How long a provider that failed is passed over for a fallback.'),
});

const dollars = z.number().positive().max(1_000_000);

export const spend = group({
  perDay: dollars.optional().describe('US dollars per day (UTC), all sessions together. Default: no cap.'),
  perSession: dollars.optional().describe('US dollars per session. Default: no cap.'),
});

export const queues = group({
  steer: z
    .enum(['all', 'one'])
    .default('all')
    .describe('Messages that steer a run: all at the end of its step, or one for each step.'),
  followUp: z
    .enum(['one', 'all'])
    .default('one')
    .describe('Messages that wait for the end of a run: one for each run, or all in one.'),
});
