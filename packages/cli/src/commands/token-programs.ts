import type { AccessGrant } from '@bulkhead/protocol/client';
import { EXIT } from '../exit-code.ts';
import type { TokenVerb } from './token-verb.ts';

export const createToken: TokenVerb = async ({ client, words: [name = ''], args, stdout }) => {
  const token = await client.createProgramToken(name);
  stdout.own(args.flag('json') ? `${JSON.stringify({ name, token })}\n` : `${token}\n`);
  return EXIT.completed;
};

export const listTokens: TokenVerb = async ({ client, args, stdout }) => {
  const grants = await client.listAccess();
  if (args.flag('json')) stdout.own(`${JSON.stringify(grants.map(asJson))}\n`);
  else if (grants.length === 0) stdout.line('nobody has come in over HTTP yet');
  else for (const grant of grants) stdout.line(stdout.safeLine(lineOf(grant)));
  return EXIT.completed;
};

export const revokeToken: TokenVerb = async ({ client, words: [target = ''], args, stdout }) => {
  const revoked = await client.revokeAccess(target);
  if (args.flag('json')) stdout.own(`${JSON.stringify({ revoked })}\n`);
  else stdout.line(revoked ? 'revoked' : 'there is no such program or login; see `bulkhead token list`');
  return revoked ? EXIT.completed : EXIT.failed;
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
