import { readFileSync } from 'node:fs';
import { create } from '@bufbuild/protobuf';
import { AssistantMessageSchema } from '@bulkhead/protocol/chat';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assistantMessage,
  callWith,
  imageMessage,
  tool,
  toolMessage,
  userMessage,
} from '../testing/model-fixtures.ts';
import { estimateInputTokens } from './estimate-input-tokens.ts';
import { estimateTokens } from './estimate-tokens.ts';

describe('estimateTokens', () => {
  /**
   * Upper bounds of counts by common tokenizers: about 4 characters of prose, 3 of code, 1.5 signs
   * of Chinese.
   */
  it.each([
    ['prose', 'The quick brown fox jumps over the lazy dog. '.repeat(100), 4],
    ['code', readFileSync(new URL(import.meta.url), 'utf8'), 2.5],
    ['digits', '8154073926'.repeat(50), 1],
    ['Chinese', '模型提供商的价格'.repeat(50), 0.5],
    ['emoji', '🦀🎉'.repeat(50), 2 / 4],
  ])('is above what %s takes, and not by more than four times [D2]', (_kind, text, perToken) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(text.length / perToken);
    expect(estimateTokens(text)).toBeLessThanOrEqual((text.length / perToken) * 4);
  });

  it('is at least half of the length, at most the bytes, and grows with the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (first, second) => {
        const estimate = estimateTokens(first);
        expect(estimate).toBeGreaterThanOrEqual(first.length / 2);
        expect(estimate).toBeLessThanOrEqual(Buffer.byteLength(first));
        expect(estimateTokens(first + second)).toBeGreaterThanOrEqual(estimate);
      }),
    );
  });
});

describe('estimateInputTokens', () => {
  const base = estimateInputTokens(callWith());
  const said = assistantMessage(
    create(AssistantMessageSchema, {
      parts: [
        { part: { case: 'thinking', value: { text: 'a'.repeat(100) } }, providerJson: 'x'.repeat(4000) },
        { part: { case: 'text', value: { text: 'a'.repeat(100) } } },
        { part: { case: 'toolCall', value: { callId: 'c', name: 'ls', argumentsJson: '1'.repeat(100) } } },
      ],
    }),
  );

  it.each([
    ['the system prompt', callWith({ system: 'a'.repeat(1000) }), 500],
    ['another message', callWith({ messages: [userMessage('hello'), userMessage('a'.repeat(1000))] }), 500],
    ['a tool', callWith({ tools: [tool('ls')] }), 60],
    ['an image', callWith({ messages: [imageMessage('hello')] }), 5000],
    [
      'a result',
      callWith({ messages: [userMessage('hello'), toolMessage('c', 'ls', '1'.repeat(300))] }),
      300,
    ],
    ['an answer, hidden thinking too', callWith({ messages: [userMessage('hello'), said] }), 1200],
  ])('counts %s [D2]', (_what, call, least) => {
    expect(estimateInputTokens(call) - base).toBeGreaterThanOrEqual(least);
  });

  it('is not nothing for the smallest request: providers add their own [D2]', () => {
    expect(base).toBeGreaterThan(500);
  });
});
