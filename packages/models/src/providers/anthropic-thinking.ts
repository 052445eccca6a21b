import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { RequestWishes } from '../provider-adapter.ts';
import { type ThinkingLevel, thinkingBudget } from '../thinking.ts';

/** https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking: the smallest budget. */
const SMALLEST_BUDGET = 1024;

/**
 * Bound thinking is dropped instead of refused if its conversation was compacted, rewound or got
 * other tools.
 */
const DROP_CHANGED = { prefixMismatchBehavior: 'drop_block' } as const;

/**
 * Thinking for Claude: effort and adaptive thinking for newer models, a budget for models up to
 * 4.5. With `off` earlier thinking is not sent either; models that can't stop thinking do the
 * minimum.
 */
export function prepareAnthropicThinking(
  options: LanguageModelV4CallOptions,
  { model, thinking }: RequestWishes,
): LanguageModelV4CallOptions {
  const { byBudget, bound } = claudeThinking(model);
  if (thinking === 'off') {
    return { ...options, reasoning: 'none', providerOptions: { anthropic: { sendReasoning: false } } };
  }
  if (thinking === undefined) {
    return bound ? withOptions(options, { thinking: { blockBinding: DROP_CHANGED } }) : options;
  }
  if (byBudget) return withBudget(options, thinking);
  const adaptive = { type: 'adaptive', display: 'summarized' };
  return withOptions(options, {
    effort: thinking,
    thinking: bound ? { ...adaptive, blockBinding: DROP_CHANGED } : adaptive,
  });
}

/**
 * The package adds the budget to the given limit, so it receives the answer's share. Without room
 * for the smallest budget there is no thinking, nor in a tool loop that another model started.
 */
function withBudget(
  options: LanguageModelV4CallOptions,
  level: Exclude<ThinkingLevel, 'off'>,
): LanguageModelV4CallOptions {
  const limit = options.maxOutputTokens ?? 0;
  const budgetTokens = Math.max(SMALLEST_BUDGET, thinkingBudget(level, limit));
  if (limit < 2 * SMALLEST_BUDGET || inForeignLoop(options.prompt)) return options;
  return withOptions(
    { ...options, maxOutputTokens: limit - budgetTokens },
    { thinking: { type: 'enabled', budgetTokens } },
  );
}

/**
 * Continues a tool loop whose calls had no thinking of this provider before them: with thinking it
 * would be refused.
 */
function inForeignLoop(prompt: LanguageModelV4Prompt): boolean {
  const at = prompt.findLastIndex((message) => message.role === 'assistant');
  // Messages sent meanwhile, and the turn part, may follow the results.
  if (!prompt.slice(at + 1).some((message) => message.role === 'tool')) return false;
  const last = prompt[at];
  const first = last?.role === 'assistant' ? last.content[0] : undefined;
  return first?.type !== 'reasoning' || first.providerOptions?.['anthropic'] === undefined;
}

function withOptions(
  options: LanguageModelV4CallOptions,
  anthropic: SharedV4ProviderOptions[string],
): LanguageModelV4CallOptions {
  return { ...options, providerOptions: { anthropic } };
}

/** A Claude model's thinking abilities, by its name. Names of other forms count as the newest. */
interface ClaudeThinking {
  /**
   * Models up to 4.5: they need a number of tokens, and the thinking of a running tool loop back.
   */
  readonly byBudget: boolean;
  /**
   * It refuses thinking if the conversation has changed since:
   * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
   */
  readonly bound: boolean;
}

export function claudeThinking(model: string): ClaudeThinking {
  if (/claude-(instant|v?2|3)/.test(model)) return { byBudget: true, bound: false };
  const match = /claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?!\d)/.exec(model);
  if (match === null) return { byBudget: false, bound: false };
  const [, family = '', major = '0', minor = '0'] = match;
  const version = Number(major) + Number(minor) / 100;
  const firstBound = family === 'fable' || family === 'mythos' ? 5.01 : 5.05;
  return { byBudget: version <= 4.05, bound: version >= firstBound };
}
