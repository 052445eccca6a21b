import { KNOWN_PROVIDERS } from '@bulkhead/models';
import * as z from 'zod';
import { group } from './group.ts';
import { SECRET_NAME } from './secret-name.ts';

const dollarsPerMillion = z.number().min(0).max(100_000);

const baseUrl = z
  .url({ protocol: /^https?$/, error: 'not an address like http://127.0.0.1:8080/v1' })
  .refine((text) => !/[?#]|\/\/[^/]*@/.test(text), {
    error: 'an address has no user name, password, ? or # here: keys go to `bulkhead config secret NAME`',
  });

const role = group({
  provider: z
    .enum(KNOWN_PROVIDERS, {
      error: ({ input }) =>
        `${input === undefined ? 'is missing' : 'not a known provider'}; known: ${KNOWN_PROVIDERS.join(', ')}`,
    })
    .describe('Whose API is spoken.'),
  model: z
    .string()
    .min(1)
    .max(256)
    // Shown to users: no character may move or hide the text beside it.
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'a name without line breaks and characters that nobody sees')
    .describe('Name of the model, as the provider writes it.'),
  baseUrl: baseUrl
    .optional()
    .describe(
      "Address of the API, without the endpoint. Default: the provider's; openai-compatible needs one.",
    ),
  apiKeyEnv: z
    .string()
    .regex(SECRET_NAME, 'the name of a variable or secret (A to Z, digits, _), never the key itself')
    .optional()
    .describe(
      "Name of the environment variable or secret that holds the key. Default: the provider's usual one.",
    ),
  contextWindow: z
    .int()
    .min(1_024)
    .max(10_000_000)
    .optional()
    .describe("Tokens that fit into one request. Default: what the provider's models usually have."),
  maxOutputTokens: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe("Most tokens of one answer. Default: limits.maxOutputTokens, else the model's own maximum."),
  thinking: z
    .enum(['off', 'low', 'medium', 'high'])
    .optional()
    .describe("How much the model thinks before it answers. Default: the provider's."),
  price: group({
    input: dollarsPerMillion.describe('Of input that is not cached.'),
    output: dollarsPerMillion.describe('Of output, thinking included.'),
    cachedInput: dollarsPerMillion
      .optional()
      .describe("Of input read from the provider's cache. Default: the price of input."),
  })
    .optional()
    .describe('US dollars per million tokens. Needed where a spend cap is set and the price is not known.'),
});

/** Model roles. */
export const modelRoles = group({
  chat: role
    .optional()
    .describe('The model that answers. Default: chosen by keys, a local Ollama, or offline.'),
  title: role.optional().describe('Names sessions. Default: the chat model.'),
  compaction: role.optional().describe('Shortens long conversations. Default: the chat model.'),
  shield: role.optional().describe('Judges what rules leave open. Default: none, a person is asked.'),
  embedding: role
    .optional()
    .describe('Turns text into vectors. A chat model can not stand in for it. Default: none.'),
  subagent: role.optional().describe('Works on parts of a task. Default: the chat model.'),
  fallback: z
    .array(role)
    .max(16)
    .default([])
    .describe('Models to go on with, in order, when the chat model fails in a way that another may not.'),
});

export type ModelRole = z.output<typeof role>;
