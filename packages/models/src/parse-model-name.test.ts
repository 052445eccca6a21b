import { expect, it } from 'vitest';
import { parseModelName } from './parse-model-name.ts';

it.each([
  ['anthropic/claude-x', 'anthropic', 'claude-x'],
  ['openai-compatible/org/model:7b', 'openai-compatible', 'org/model:7b'],
  [' offline / rules ', 'offline', 'rules'],
])('reads %s', (text, provider, model) => {
  expect(parseModelName(text)).toEqual({ provider, model });
});

it.each(['', 'claude', '/x', 'x/', ' / ', 'anthropic/ '])('refuses "%s"', (text) => {
  expect(() => parseModelName(text)).toThrowError(expect.objectContaining({ code: 'usage' }));
});
