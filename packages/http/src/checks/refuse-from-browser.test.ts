import { create } from '@bufbuild/protobuf';
import { CreateSessionRequestSchema, SendMessageRequestSchema } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import type { Proof } from './proof.ts';
import { refuseFromBrowser } from './refuse-from-browser.ts';

const by = (kind: Proof['kind']): Proof => ({ id: 'x', kind, name: '' });
const message = (options?: { readonly baseUrl?: string; readonly model?: string }) =>
  create(SendMessageRequestSchema, { sessionId: 's', content: 'hello', ...(options && { options }) });

describe('a message with the address of a model', () => {
  const elsewhere = message({ baseUrl: 'http://127.0.0.1:9/v1' });

  it('is refused to browser logins only [I5] [FT39]', () => {
    expect(() => refuseFromBrowser(by('login'), elsewhere)).toThrow(
      expect.objectContaining({ code: 'blocked', details: expect.objectContaining({ status: 403 }) }),
    );
    for (const kind of ['owner', 'program'] as const) refuseFromBrowser(by(kind), elsewhere);
  });

  it('is the only thing that is refused', () => {
    for (const input of [message(), message({ model: 'a/b' }), message({ baseUrl: '' })])
      refuseFromBrowser(by('login'), input);
    refuseFromBrowser(by('login'), create(CreateSessionRequestSchema, {}));
  });
});
