import { create } from '@bufbuild/protobuf';
import { ToolCallSchema, ToolMessageSchema } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { summarizeCall } from './thoughts.ts';

function summary(name: string, argumentsJson: string, text: string, isError = false): string {
  const call = create(ToolCallSchema, { callId: 'c', name, argumentsJson });
  return summarizeCall(call, create(ToolMessageSchema, { callId: 'c', name, text, isError }));
}

describe('summarizeCall [L5]', () => {
  it.each([
    ['read', '{"path":"src/a.ts"}', 'x', 'read -> 1 byte of TypeScript source'],
    ['read', '{"path":"README.MD"}', 'xx', 'read -> 2 bytes of Markdown'],
    ['read', '{"path":"x.unknown"}', 'xx', 'read -> 2 bytes of text'],
    ['read', '{"path":"Makefile"}', '{"a":1}', 'read -> 7 bytes of JSON'],
    ['read', 'broken', '{"a":', 'read -> 5 bytes of text'],
    ['read', '{"path":7}', 'ü', 'read -> 2 bytes of text'],
    ['read', 'null', 'x', 'read -> 1 byte of text'],
    ['write', '{"path":"a.ts"}', 'Wrote it.', 'write -> 9 bytes of text'],
    ['edit', '{"path":"a.ts"}', '--- a.ts\n+++ a.ts', 'edit -> 17 bytes of diff'],
    ['bash', '{}', '', 'bash -> no output'],
    ['bash', '{}', '<!DOCTYPE html><p>', 'bash -> 18 bytes of HTML'],
    ['bash', '{}', '<?xml version="1.0"?>', 'bash -> 21 bytes of XML'],
    ['bash', '{}', 'x'.repeat(12_345), 'bash -> 12 kB of text'],
    ['ls', '{"path":"a.ts"}', 'a.ts', 'ls -> 4 bytes of listing'],
    ['grep', '{}', 'a:1', 'grep -> 3 bytes of matches'],
    ['find', '{}', 'a', 'find -> 1 byte of paths'],
  ])('%s %s %j', (name, args, text, expected) => {
    expect(summary(name, args, text.slice(0, 20_000))).toBe(expected);
  });

  it('gives the first line of a failure, shortened', () => {
    expect(summary('bash', '{}', '\nno such file\nat line 1', true)).toBe('bash -> failed: no such file');
    expect(summary('bash', '{}', 'x'.repeat(300), true)).toHaveLength('bash -> failed: '.length + 101);
  });
});
