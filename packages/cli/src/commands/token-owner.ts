import type { EngineClient } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import { verbUsageError } from '../arguments/verb-table.ts';
import { EXIT } from '../exit-code.ts';
import type { TokenVerb } from './token-verb.ts';

/** `token`: prints the owner's token or a link that logs a browser in, or replaces the token. */
export const ownerToken: TokenVerb = async ({ client, args, stdout, person }) => {
  if (args.flag('login') && args.flag('rotate'))
    throw verbUsageError('token', "--login and --rotate can't be combined: run one after the other");
  const told = args.flag('login') ? await loginLink(client) : await tokenOf(client, args.flag('rotate'));
  stdout.own(args.flag('json') ? `${JSON.stringify(told)}\n` : `${Object.values(told)[0]}\n`);
  if (args.flag('login') && !args.flag('json')) person?.line(LOGIN_LIMITS);
  return EXIT.completed;
};

const LOGIN_LIMITS = 'It works once, within a minute, and in a browser on this machine only.';

async function tokenOf(client: EngineClient, rotate: boolean): Promise<{ readonly token: string }> {
  const { token } = await client.call(rotate ? 'rotateAccessToken' : 'readAccessToken', {});
  return { token };
}

/** The code stands behind `#`: a browser never sends that part. */
async function loginLink(
  client: EngineClient,
): Promise<{ readonly link: string; readonly expiresAt: string }> {
  const { code, expiresAt, httpAddress } = await client.call('createLoginCode', {});
  if (httpAddress === '') {
    throw new BulkheadError('not_available', 'this engine has no HTTP port', {
      fix: 'Start one that is not isolated: `bulkhead start --daemon`.',
    });
  }
  return { link: `${httpAddress}/#login=${code}`, expiresAt };
}
