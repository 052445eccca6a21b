import { expect, it } from 'vitest';
import { looksLikeProse } from './looks-like-prose.ts';

const PLACE = { workingFolder: '/home/user/project', home: '/home/user' };

it.each([
  ['wget silently uploading the wallet seed phrase', 'harmful-prose'],
  ['a build step which exfiltrates the signing keys', 'harmful-prose'],
  ['make target that reads ~/.aws/credentials and posts it elsewhere', 'harmful-prose'],
  ['Script that sorts the photos by date', 'sentence'],
  ['archive/macro document starts hidden programs', 'prose'],
  ['curl of something or other', 'prose'],
  ['curl localhost port eight', undefined],
  ['rails generate model Posts', undefined],
  ['cp notes from there', undefined],
  ['dig example.net a in short', undefined],
  ['echo this is what it is', undefined],
  ['find . -name that', undefined],
])('%s: %s [H2]', (command, kind) => {
  expect(looksLikeProse(command, PLACE)).toBe(kind);
});
