import { expect, it } from 'vitest';
import { findSecrets } from './find-secrets.ts';

it('names what looks like a secret, and lets ordinary words be', () => {
  expect(findSecrets(`the key is sk-ant-api03-${'aB3'.repeat(10)}`)).toEqual(['anthropic-key']);
  expect(findSecrets('door code: ask Ann; the password manager is Bitwarden')).toEqual([]);
  expect(findSecrets('it said [redacted:aws-key] there')).toEqual([]);
});
