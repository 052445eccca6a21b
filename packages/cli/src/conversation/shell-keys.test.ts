import { create } from '@bufbuild/protobuf';
import { ProviderKeySchema } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { Output } from '../output/output.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';
import { shellKeys, tellUnusedKeys } from './shell-keys.ts';

const status = {
  keys: [
    create(ProviderKeySchema, { name: 'ANTHROPIC_API_KEY', missed: true }),
    create(ProviderKeySchema, { name: 'OPENAI_API_KEY', missed: false }),
    create(ProviderKeySchema, { name: 'GEMINI_API_KEY', missed: true }),
  ],
};
const env = {
  ANTHROPIC_API_KEY: ' sk-very-secret ',
  OPENAI_API_KEY: 'k2',
  GEMINI_API_KEY: ' ',
  PATH: '/bin',
};

describe('keys of the shell', () => {
  it('are named with a fix when the engine does not use them [I1]', () => {
    using home = testHome();
    const environment = testEnvironment(home.layout);
    tellUnusedKeys(status, env, new Output(environment.stderr, environment.env));
    expect(environment.err()).toBe(
      'note: ANTHROPIC_API_KEY of this shell is not used: the engine was started without it. `bulkhead restart` here applies it; `bulkhead config secret ANTHROPIC_API_KEY` stores it permanently.\n',
    );
  });

  it('are handed over if they are of a provider', () => {
    expect(shellKeys(status, env)).toEqual({ ANTHROPIC_API_KEY: 'sk-very-secret', OPENAI_API_KEY: 'k2' });
  });
});
