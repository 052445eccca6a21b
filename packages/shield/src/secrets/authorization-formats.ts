import { BASE64, TOKEN68 } from './alphabet.ts';
import type { SecretFormat } from './candidate.ts';
import { looksRandom } from './looks-random.ts';
import { TokenCandidate, type TokenShape } from './token-candidate.ts';

const bearer: TokenShape = { alphabet: TOKEN68, least: 16, isLikely: looksRandom };
const basic: TokenShape = { alphabet: BASE64, least: 8, isLikely: isUserAndPassword };

/** Values of the header `Authorization` (RFC 6750, RFC 7617). */
export const authorizationFormats: readonly SecretFormat[] = [
  {
    anchors: ['Bearer ', 'bearer ', 'BEARER '],
    holds: false,
    open: ({ next }) => new TokenCandidate('bearer-token', next, bearer),
  },
  {
    anchors: ['Basic ', 'basic ', 'BASIC '],
    holds: false,
    open: ({ next }) => new TokenCandidate('basic-auth', next, basic),
  },
];

/** Words after "basic" are not credentials; base64 of printable text with a colon inside is. */
function isUserAndPassword(body: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(body, 'base64').toString('latin1'));
}
