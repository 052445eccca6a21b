import { describe, expect, it } from 'vitest';
import { CallRoom } from './call-room.ts';

const LIMITED = { code: 'rate_limit', retryable: true, details: { status: 429, retryAfterSeconds: 1 } };

describe('CallRoom', () => {
  it('bounds calls and bytes of each client, and gives back what is over, once [FG10]', () => {
    const room = new CallRoom({ calls: 2, bytes: 10 });
    const first = room.enter('a');
    const second = room.enter('a');
    expect(() => room.enter('a')).toThrowError(expect.objectContaining(LIMITED));
    const other = room.enter('b');
    first.arrived(6);
    expect(() => second.arrived(5)).toThrowError(expect.objectContaining(LIMITED));
    second.arrived(4);
    other.arrived(10);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    first.arrived(100);
    second.arrived(6);
    expect(() => second.arrived(1)).toThrowError(expect.objectContaining(LIMITED));
    const third = room.enter('a');
    expect(() => room.enter('a')).toThrowError(expect.objectContaining(LIMITED));
    third[Symbol.dispose]();
    room.enter('a');
  });
});
