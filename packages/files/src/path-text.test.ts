import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathFromText, pathText } from './path-text.ts';

const anyPath = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  fc
    .array(fc.constantFrom('\\', 'x', '0', 'a', '/', '\x1b', '\\x0a', '\\x5c', '..', 'é'))
    .map((parts) => Buffer.from(parts.join(''))),
);

describe('a path as text', () => {
  it('leads back to the very bytes, whatever they are', () => {
    fc.assert(fc.property(anyPath, (path) => pathFromText(pathText(path)).equals(path)));
  });

  it('reads as it is where it can', () => {
    expect(pathText(Buffer.from('src/main.ts'))).toBe('src/main.ts');
    expect(pathText(Buffer.from('a\n/\xff', 'latin1'))).toBe('a\\x0a/\\xff');
  });
});
