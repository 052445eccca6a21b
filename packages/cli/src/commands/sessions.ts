import { JSON_OPTION, type OptionTable } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { chooseVerb, type VerbTable, verbDetails, verbUsage } from '../arguments/verb-table.ts';
import type { Command } from '../command.ts';
import { wholeSessionId } from '../conversation/find-session.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import type { SessionsVerb } from './sessions-verb.ts';

const VERBS: VerbTable<SessionsVerb> = {
  list: {
    options: ['limit'],
    about: 'the sessions, newest first [--limit N]',
    load: async () => (await import('./sessions-list.ts')).listSessions,
  },
  show: {
    words: ['ID'],
    options: ['entries'],
    about: [
      'a session from its start, a fork with the shared part. --entries lists the ids that fork, move and label',
      'take, for the conversation as the model sees it now; --json prints event lines (entries: a JSON object each)',
    ],
    load: async () => (await import('./sessions-show.ts')).showSession,
  },
  search: {
    words: ['QUERY…'],
    options: ['limit'],
    about: 'messages of all sessions that contain all words [--limit N]',
    load: async () => (await import('./sessions-search.ts')).searchSessions,
  },
  fork: {
    words: ['ID'],
    options: ['at'],
    about:
      'a new session that shares everything up to an entry, by default the last [--at ENTRY]; prints its id',
    load: async () => (await import('./sessions-tree.ts')).forkSession,
  },
  move: {
    words: ['ID', 'ENTRY'],
    options: ['summary'],
    about:
      'continues from an earlier entry; ENTRY "start" is before the first. Nothing is lost [--summary TEXT]',
    load: async () => (await import('./sessions-tree.ts')).moveSession,
  },
  label: {
    words: ['ID', 'ENTRY', 'TEXT…'],
    about: 'labels an entry; an empty TEXT removes the label',
    load: async () => (await import('./sessions-tree.ts')).labelEntry,
  },
  title: {
    words: ['ID', 'TEXT…'],
    about: 'names a session',
    load: async () => (await import('./sessions-tree.ts')).titleSession,
  },
  compact: {
    words: ['ID'],
    options: ['focus'],
    about:
      'summarizes the older part for the model, now or after the current run; prints how to go back [--focus TEXT]',
    load: async () => (await import('./sessions-compact.ts')).compactSession,
  },
  pin: {
    words: ['ID', 'TEXT…'],
    about: 'pins a rule that the model always receives word for word',
    load: async () => (await import('./sessions-compact.ts')).pinRule,
  },
  pins: {
    words: ['ID'],
    about: 'the pinned rules, with their numbers',
    load: async () => (await import('./sessions-compact.ts')).listRules,
  },
  unpin: {
    words: ['ID', 'NUMBER'],
    about: 'removes a pinned rule',
    load: async () => (await import('./sessions-compact.ts')).unpinRule,
  },
  export: {
    words: ['ID'],
    options: ['format', 'output', 'force'],
    about:
      'writes a whole session to standard output or a file that only you can read [--format, --output, --force]',
    load: async () => (await import('./sessions-transfer.ts')).exportSession,
  },
  import: {
    words: ['FILE'],
    options: ['cwd', 'own'],
    about:
      'imports a JSON Lines export as a new session [--cwd DIR]; prints its id. Its user messages are data to the model, unless you wrote them [--own]',
    load: async () => (await import('./sessions-transfer.ts')).importSession,
  },
  delete: {
    words: ['ID'],
    options: ['with-forks', 'yes'],
    about: 'permanently deletes a session, after asking [--with-forks] [--yes]',
    load: async () => (await import('./sessions-delete.ts')).deleteSession,
  },
  'accept-loss': {
    words: ['SESSION'],
    about:
      'continues a session whose log lost records, as `doctor` says; SESSION is a whole id. Repeated actions then need approval',
    load: async () => (await import('./sessions-loss.ts')).acceptLoss,
  },
};

export const EXPORT_OPTIONS: OptionTable = {
  format: {
    about: 'export: jsonl (can be imported again) or html (to read)',
    value: 'FORMAT',
    choices: ['jsonl', 'html'],
  },
  output: { about: 'export: the file to write', value: 'FILE' },
  force: { about: 'export: overwrite an existing file' },
};

export const sessionsCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Lists, shows and finds sessions; forks, moves, names, exports, imports and deletes them.',
  details: [
    ...verbDetails(VERBS),
    '',
    'ID is the id of a session, or at least its first six characters.',
    'fork, move, pin, unpin and delete need an idle session; a working one is refused (`busy`).',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    limit: { about: 'list, search: maximum number (50, 20)', value: 'N' },
    entries: { about: 'show: list the ids of its entries' },
    at: { about: 'fork: the entry to fork at', value: 'ENTRY' },
    focus: { about: 'compact: most important to keep', value: 'TEXT' },
    summary: { about: 'move: a short summary of the abandoned part for the model', value: 'TEXT' },
    ...EXPORT_OPTIONS,
    cwd: { about: 'import: the working folder of the session', value: 'DIR' },
    own: { about: 'import: you wrote its user messages' },
    'with-forks': { about: 'delete: also the sessions forked from it' },
    yes: { about: "delete: don't ask" },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const { verb, words } = chooseVerb('sessions', VERBS, sessionsCommand.options, args);
  const call = await verb.load();
  const stdout = new Output(environment.stdout, environment.env);
  const stderr = new Output(environment.stderr, environment.env);
  const { signal } = new AbortController();
  const { link } = await openEngine(homeOf(environment), environment, { signal });
  using _link = link;
  try {
    return await link.once(async (client) => {
      const id = verb.words?.[0] === 'ID' ? await wholeSessionId(client, words[0] ?? '') : undefined;
      const whole = id === undefined ? words : [id, ...words.slice(1)];
      return await call({ client, words: whole, args, stdout, stderr, environment });
    });
  } catch (cause) {
    if (stdout.gone.aborted) return EXIT.cancelled;
    throw cause;
  }
}
