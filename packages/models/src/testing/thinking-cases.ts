import type { ThinkingLevel } from '../thinking.ts';
import type { Wire } from './wire-cases.ts';

/** A level, and the resulting request to a model: the call's output limit is 10,000. */
export interface ThinkingCase {
  readonly wire: Wire;
  readonly model: string;
  readonly level: ThinkingLevel;
  readonly expected: object;
}

export const THINKING_CASES: readonly ThinkingCase[] = [
  {
    wire: 'anthropic',
    model: 'claude-opus-4-6',
    level: 'medium',
    expected: {
      max_tokens: 10_000,
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'medium' },
    },
  },
  {
    wire: 'anthropic',
    model: 'claude-sonnet-5-5',
    level: 'low',
    expected: {
      thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
      output_config: { effort: 'low' },
    },
  },
  {
    wire: 'anthropic',
    model: 'claude-sonnet-4-5-20250929',
    level: 'low',
    expected: { max_tokens: 10_000, thinking: { type: 'enabled', budget_tokens: 2000 } },
  },
  {
    wire: 'anthropic',
    model: 'claude-haiku-4-5',
    level: 'high',
    expected: { max_tokens: 10_000, thinking: { type: 'enabled', budget_tokens: 6000 } },
  },
  {
    wire: 'anthropic',
    model: 'claude-haiku-4-5',
    level: 'off',
    expected: { max_tokens: 10_000, thinking: { type: 'disabled' } },
  },
  {
    wire: 'anthropic',
    model: 'claude-opus-5-5',
    level: 'off',
    expected: { output_config: { effort: 'low' } },
  },
  {
    wire: 'openai',
    model: 'gpt-5.5',
    level: 'high',
    expected: { reasoning: { effort: 'high' }, store: false, include: ['reasoning.encrypted_content'] },
  },
  { wire: 'openai', model: 'gpt-of-tomorrow', level: 'low', expected: { reasoning: { effort: 'low' } } },
  { wire: 'openai', model: 'gpt-5', level: 'off', expected: { reasoning: { effort: 'minimal' } } },
  {
    wire: 'google',
    model: 'gemini-3.5-flash',
    level: 'high',
    expected: { generationConfig: { thinkingConfig: { thinkingLevel: 'high', includeThoughts: true } } },
  },
  {
    wire: 'google',
    model: 'gemini-2.5-flash',
    level: 'medium',
    expected: {
      generationConfig: {
        maxOutputTokens: 10_000,
        thinkingConfig: { thinkingBudget: 4000, includeThoughts: true },
      },
    },
  },
  {
    wire: 'google',
    model: 'gemini-2.5-flash',
    level: 'off',
    expected: { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
  },
  { wire: 'openrouter', model: 'x/y', level: 'high', expected: { reasoning: { effort: 'high' } } },
  { wire: 'openrouter', model: 'x/y', level: 'off', expected: { reasoning: { effort: 'none' } } },
  { wire: 'openai-compatible', model: 'm', level: 'medium', expected: { reasoning_effort: 'medium' } },
  { wire: 'ollama', model: 'qwen3', level: 'high', expected: { think: true } },
  { wire: 'ollama', model: 'gpt-oss:20b', level: 'medium', expected: { think: 'medium' } },
  { wire: 'ollama', model: 'qwen3', level: 'off', expected: { think: false } },
];
