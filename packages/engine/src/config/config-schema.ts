import * as z from 'zod';

const seconds = (fallback: number) => z.number().positive().max(86_400).default(fallback);

const modelRole = z.strictObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Name of the environment variable that holds the key. */
  apiKeyEnv: z.string().min(1).optional(),
  contextWindow: z.int().min(1_024).max(10_000_000).optional(),
});

/**
 * The whole of `config.yaml`. Without a model, a key in the environment chooses the provider, else the offline
 * model answers; without a port, the usual one or a free one is taken.
 */
export const configSchema = z.strictObject({
  models: z.strictObject({ chat: modelRole.optional() }).default({}),
  limits: z
    .strictObject({
      maxRounds: z.int().min(1).max(1_000).default(25),
      maxOutputTokens: z.int().min(1).max(1_000_000).default(4_096),
    })
    .prefault({}),
  timeouts: z
    .strictObject({
      /** Until the first byte of a model's answer. */
      firstTokenSeconds: seconds(60),
      /** Between two pieces of a model's answer. */
      idleSeconds: seconds(60),
      approvalSeconds: seconds(300),
    })
    .prefault({}),
  tools: z
    .strictObject({
      /** `core`: the seven core tools from the start. `none`: even they are loaded on demand. */
      initial: z.enum(['core', 'none']).default('core'),
    })
    .prefault({}),
  agents: z
    .strictObject({
      /** Agent processes alive at once. */
      max: z.int().min(1).max(1_024).default(16),
      idleSeconds: seconds(60),
    })
    .prefault({}),
  server: z
    .strictObject({
      /** TCP port on 127.0.0.1; 0 takes a free one. */
      port: z.int().min(0).max(65_535).optional(),
    })
    .prefault({}),
  /** A file of `policies/`, without `.yaml`. */
  policy: z
    .string()
    .regex(/^[\w-]+$/, 'a policy is named by letters, digits, - and _')
    .default('default'),
});

export type Config = z.output<typeof configSchema>;
export type ModelRole = z.output<typeof modelRole>;
