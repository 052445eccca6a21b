import { connectEngine } from '@bulkhead/client';
import { JSON_OPTION } from '../arguments/option-table.ts';
import { chooseVerb, type VerbTable, verbDetails, verbUsage } from '../arguments/verb-table.ts';
import type { Command } from '../command.ts';
import { hasPerson } from '../environment.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';
import type { TokenVerb } from './token-verb.ts';

const VERBS: VerbTable<TokenVerb> = {
  show: {
    options: ['login', 'rotate'],
    usage: '[--login|--rotate]',
    about: 'your own token, for programs of yours: Authorization: Bearer $(bulkhead token)',
    load: async () => (await import('./token-owner.ts')).ownerToken,
  },
  create: {
    words: ['NAME'],
    about:
      'a token for a program, shown only once: gives access to /v1, the OpenAI-compatible API, and nothing else',
    load: async () => (await import('./token-programs.ts')).createToken,
  },
  list: {
    about: 'lists who has access: your token, browser logins, programs; no secrets',
    load: async () => (await import('./token-programs.ts')).listTokens,
  },
  revoke: {
    words: ['NAME'],
    about: 'revokes a program’s token or, by its id, a login; its connections end within a second',
    load: async () => (await import('./token-programs.ts')).revokeToken,
  },
};

export const tokenCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Prints the token for the engine’s HTTP API, and manages other access. Keep the token secret.',
  details: verbDetails(VERBS),
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    login: { about: 'show: a link that logs in one browser, once, within a minute' },
    rotate: { about: 'show: replace the token; the old one and all logins end immediately' },
  },
  async run(args, environment) {
    const { verb, words } = chooseVerb('token', VERBS, tokenCommand.options, args);
    const call = await verb.load();
    using client = await connectEngine(homeOf(environment));
    const { stdout, stderr, env } = environment;
    const person = hasPerson(environment) ? new Output(stderr, env) : undefined;
    return await call({ client, words, args, stdout: new Output(stdout, env), person });
  },
};
