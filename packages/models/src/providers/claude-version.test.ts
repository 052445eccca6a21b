import { expect, it } from 'vitest';
import { claudeThinking } from './anthropic-thinking.ts';

it.each([
  ['claude-3-7-sonnet-20250219', true, false],
  ['claude-sonnet-4-20250514', true, false],
  ['claude-opus-4-1-20250805', true, false],
  ['claude-haiku-4-5', true, false],
  ['claude-sonnet-4-5-20250929', true, false],
  ['claude-sonnet-4-6', false, false],
  ['claude-opus-4-8', false, false],
  ['claude-opus-5', false, false],
  ['claude-fable-5', false, false],
  ['claude-fable-5-1', false, true],
  ['claude-sonnet-5-5', false, true],
  ['claude-haiku-5-5-20261007', false, true],
  ['claude-opus-6', false, true],
  ['claude-sonnet-5-10', false, true],
  ['claude-of-another-kind', false, false],
  ['test-model', false, false],
])('%s: by budget %s, bound %s', (model, byBudget, bound) => {
  expect(claudeThinking(model)).toEqual({ byBudget, bound });
});
