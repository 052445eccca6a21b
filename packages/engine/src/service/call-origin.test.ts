import { CHANNEL_HEADER, ORIGIN_HEADER, originHeader } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { doorOrigin, socketOrigin } from './call-origin.ts';

const owner = { id: 'owner' };

describe('the origin of a call', () => {
  it.each([
    ['tui', 'tui'],
    ['acp', 'acp'],
    ['web', 'client'],
    ['telegram', 'client'],
    ['', 'client'],
  ])('is the owner at a client of the socket; one that calls itself %j is %s', (named, channel) => {
    const forged = originHeader({ channel: 'web', sender: { id: 'eve' } });
    const headers = new Headers({ [CHANNEL_HEADER]: named, [ORIGIN_HEADER]: forged });
    expect(socketOrigin(headers)).toEqual({ channel, sender: owner });
  });

  it('is what the HTTP door passes on, in any characters, and never what a header of a socket says', () => {
    const origin = { channel: 'api', chat: 'träum\n', sender: { id: 'p1', name: 'Zoë “x”' } };
    const headers = new Headers({ [ORIGIN_HEADER]: originHeader(origin), [CHANNEL_HEADER]: 'cli' });
    expect(doorOrigin(headers)).toEqual(origin);
    expect(() => doorOrigin(new Headers({ [CHANNEL_HEADER]: 'cli' }))).toThrow('no origin');
    expect(() => doorOrigin(new Headers({ [ORIGIN_HEADER]: '%7B%7D' }))).toThrow();
  });
});
