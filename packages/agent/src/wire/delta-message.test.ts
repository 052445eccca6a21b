import { describe, expect, it } from 'vitest';
import { type Delta, DeltaMessage } from './delta-message.ts';

function message(kind: Delta['kind'], requestId: string, text: string): DeltaMessage {
  return new DeltaMessage({ kind, requestId, text }, (delta) => Buffer.from(JSON.stringify(delta)));
}

describe('a delta that waits', () => {
  it('takes in its neighbour of the same kind and request', () => {
    const first = message('text', '1', 'a');
    expect(first.absorb(message('text', '1', 'b'))).toBe(true);
    expect(first.absorb(message('text', '1', 'c'))).toBe(true);
    expect(JSON.parse(Buffer.from(first.encode()).toString())).toEqual({
      kind: 'text',
      requestId: '1',
      text: 'abc',
    });
  });

  it.each([
    ['another kind', message('thinking', '1', 'b')],
    ['another request', message('text', '2', 'b')],
    ['another sort', { bytes: 0, absorb: () => false, encode: () => new Uint8Array() }],
  ])('takes in none of %s', (_name, next) => {
    expect(message('text', '1', 'a').absorb(next)).toBe(false);
  });
});
