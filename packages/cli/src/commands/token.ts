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
    about: 'a token for a program, told this once: it opens /v1, the OpenAI-compatible API, and nothing else',
    load: async () => (await import('./token-programs.ts')).createToken,
  },
  list: {
    about: 'who may come in: your token, logins of browsers, programs; no secrets',
    load: async () => (await import('./token-programs.ts')).listTokens,
  },
  revoke: {
    words: ['NAME'],
    about: 'takes a program’s token or, by its id, a login back; what it has open ends within a second',
    load: async () => (await import('./token-programs.ts')).revokeToken,
  },
};

export const tokenCommand: Command = {
  usage: verbUsage(VERBS),
  about:
    'Prints the token that opens the engine’s HTTP door, and says who else may come in. Keep it to yourself.',
  details: verbDetails(VERBS),
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    login: { about: 'show: a link that logs one browser in, once, within a minute' },
    rotate: { about: 'show: make another token; the old one and all logins end at once' },
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
