import { expect, it } from 'vitest';
import { explainNpmFailure } from './explain-npm.mjs';

it.each([
  [
    'npm error code ENOTFOUND\nnpm error network request to https://r/x failed',
    /registry could not be reached/,
  ],
  ['npm error code EUSAGE\nnpm error `npm ci` can only install packages when', /do not fit together/],
  ['npm error code ENOSPC', /disk is full/],
  ['npm error code EACCES', /may not write/],
  ['npm error code EINTEGRITY', /npm cache verify/],
  ['npm error code E404', /does not have a package/],
  ['spawn npm ENOENT', /npm was not found/],
  ['something else', /to see more/],
])('explains %o', (output, explanation) => {
  expect(explainNpmFailure(output)).toMatch(explanation);
});
