import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeLayout } from '@bulkhead/protocol';
import { sweepOf } from '@bulkhead/testkit/sweep';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeKeychain, fakeKeychain } from '../testing/fake-keychain.ts';
import { openSecretStore, secretLookup } from './open-secret-store.ts';
import type { SecretStore } from './secret-store.ts';

const KINDS = [
  { name: 'file', store: 'file', platform: 'linux', program: undefined },
  { name: 'secret-tool', store: 'keychain', platform: 'linux', program: 'secret-tool' },
  { name: 'security', store: 'keychain', platform: 'darwin', program: 'security' },
] as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(
  { store, platform }: (typeof KINDS)[number],
  environment: Readonly<Record<string, string>>,
  home = 'home',
): SecretStore {
  return openSecretStore({ layout: homeLayout(join(folder, home)), store, environment, platform });
}

describe.each(KINDS)('secrets in: $name', (kind) => {
  let keychain: FakeKeychain | undefined;
  let store: SecretStore;

  beforeEach(() => {
    keychain = kind.program === undefined ? undefined : fakeKeychain(join(folder, 'keychain'), kind.program);
    store = open(kind, keychain?.environment ?? {});
  });

  it('come back as they were stored, and go [D3]', () => {
    expect(store.get('A')).toBeUndefined();
    expect(store.names()).toEqual([]);
    store.set('B_KEY', 'two');
    store.set('A_KEY', 'one');
    store.set('B_KEY', 'three');
    expect(store.names()).toEqual(['A_KEY', 'B_KEY']);
    expect([store.get('A_KEY'), store.get('B_KEY')]).toEqual(['one', 'three']);
    expect(store.remove('A_KEY')).toBe(true);
    expect(store.remove('A_KEY')).toBe(false);
    expect(store.get('A_KEY')).toBeUndefined();
    expect(store.names()).toEqual(['B_KEY']);
  });

  it('may be any line of text', () => {
    const line = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((text) => !/\p{Cc}/u.test(text));
    const values = ['deadbeef', 'hex:6869', '"quoted" -w x', 'schlüssel', 'with blanks', '-s', '$(id)'];
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...values), line), (value) => {
        store.set('A_KEY', value);
        return store.get('A_KEY') === value;
      }),
      { numRuns: kind.program === undefined ? 50 : sweepOf(6, 40) },
    );
  });

  it('belong to one home', () => {
    store.set('A_KEY', 'one');
    const other = open(kind, keychain?.environment ?? {}, 'other');
    expect(other.names()).toEqual([]);
    expect(other.get('A_KEY')).toBeUndefined();
  });

  it('are looked for only when asked for', () => {
    expect(existsSync(join(folder, 'home'))).toBe(false);
    expect(keychain?.calls() ?? '').toBe('');
  });

  it('never stand in arguments or names, and no key is passed on', () => {
    store.set('A_KEY', 'CANARY');
    store.names();
    store.get('A_KEY');
    store.remove('A_KEY');
    const calls = keychain?.calls() ?? '';
    expect(calls).not.toMatch(/CANARY|43414e415259|ANTHROPIC_API_KEY/);
    expect(store.place).not.toContain('CANARY');
  });
});

describe.each(KINDS.slice(1))('a keychain that fails: $name', (kind) => {
  const operations = (store: SecretStore) => [
    () => store.get('A_KEY'),
    () => store.names(),
    () => store.set('A_KEY', 'CANARY'),
    () => store.remove('A_KEY'),
  ];

  it('says what to install when its program is not there', () => {
    for (const operation of operations(open(kind, { PATH: folder }))) {
      expect(operation).toThrow(
        expect.objectContaining({
          code: 'not_available',
          message: `the keychain needs \`${kind.program}\`, and it is not installed`,
          fix: expect.stringContaining('secrets.store to file'),
        }),
      );
    }
  });

  it('is never taken for an empty one, and what it says is not repeated', () => {
    const { environment } = fakeKeychain(
      join(folder, 'keychain'),
      kind.program ?? 'security',
      'locked: CANARY',
    );
    for (const operation of operations(open(kind, environment))) {
      expect(operation).toThrow(
        expect.objectContaining({ code: 'not_available', message: expect.not.stringContaining('CANARY') }),
      );
    }
  });

  it('refuses what it can not take', () => {
    const { environment } = fakeKeychain(join(folder, 'keychain'), kind.program ?? 'security');
    const store = open(kind, environment);
    if (kind.program === 'security') expect(() => store.set('A_KEY', 'x'.repeat(2_000))).toThrow('too long');
    else {
      store.set('A_KEY', 'x'.repeat(2_000));
      expect(store.get('A_KEY')).toHaveLength(2_000);
    }
  });
});

describe('secretLookup', () => {
  it('tells of a bad file at once, and leaves a keychain alone until it is needed', () => {
    const layout = homeLayout(folder);
    mkdirSync(folder, { recursive: true });
    writeFileSync(layout.secrets, '{', { mode: 0o600 });
    const environment = { PATH: folder };
    expect(() => secretLookup({ layout, store: 'file', environment, platform: 'linux' })).toThrow(
      'not a JSON object',
    );
    const lookup = secretLookup({ layout, store: 'keychain', environment, platform: 'linux' });
    expect(() => lookup('A_KEY')).toThrow('is not installed');
  });
});
