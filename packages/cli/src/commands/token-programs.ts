import { BulkheadError } from '@bulkhead/protocol';
import type { AccessGrant } from '@bulkhead/protocol/client';
import { EXIT } from '../exit-code.ts';
import type { TokenVerb } from './token-verb.ts';

export const createToken: TokenVerb = async ({ client, words: [name = ''], args, stdout }) => {
  const { token } = await client.call('createProgramToken', { name });
  stdout.own(args.flag('json') ? `${JSON.stringify({ name, token })}\n` : `${token}\n`);
  return EXIT.completed;
};

export const listTokens: TokenVerb = async ({ client, args, stdout }) => {
  const { grants } = await client.call('listAccess', {});
  if (args.flag('json')) stdout.own(`${JSON.stringify(grants.map(asJson))}\n`);
  else if (grants.length === 0) stdout.line('no one has connected over HTTP yet');
  else for (const grant of grants) stdout.line(stdout.safeLine(lineOf(grant)));
  return EXIT.completed;
};

export const revokeToken: TokenVerb = async ({ client, words: [target = ''], args, stdout }) => {
  if (!(await client.call('revokeAccess', { target })).revoked) {
    throw new BulkheadError('not_found', `no token or login has the name ${JSON.stringify(target)}`, {
      fix: 'Give the name of a program or the id of a login: see `bulkhead token list`.',
    });
  }
  if (args.flag('json')) stdout.own(`${JSON.stringify({ revoked: true })}\n`);
  else stdout.line('revoked');
  return EXIT.completed;
};

function lineOf({ id, kind, name, createdAt, usedAt, expiresAt }: AccessGrant): string {
  const facts = [
    ...(createdAt === '' ? [] : [`made ${createdAt}`]),
    ...(kind === 'owner' ? [] : [usedAt === '' ? 'not used yet' : `used ${usedAt}`]),
    ...(expiresAt === '' ? [] : [`until ${expiresAt}`]),
  ];
  return `${id}  ${[kind, ...(name === '' ? [] : [name])].join(' ')}  ${facts.join(', ')}`.trimEnd();
}

function asJson({ id, kind, name, createdAt, usedAt, expiresAt }: AccessGrant) {
  return { id, kind, name, createdAt, usedAt, expiresAt };
}
