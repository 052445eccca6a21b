import { nearest } from '../arguments/nearest.ts';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import { diffSnapshot } from './chronicle-diff.ts';
import { listSnapshots, verifyChronicle } from './chronicle-list.ts';
import { rollBack } from './chronicle-rollback.ts';
import { type ChronicleVerb, chronicleUsage } from './chronicle-verb.ts';

interface VerbEntry {
  readonly needsId: boolean;
  /** Options that mean something to it, beside `--json`. */
  readonly options: readonly string[];
  readonly call: ChronicleVerb;
}

const VERBS: Readonly<Record<string, VerbEntry>> = {
  list: { needsId: false, options: ['limit'], call: listSnapshots },
  diff: { needsId: true, options: ['turn'], call: diffSnapshot },
  rollback: { needsId: true, options: ['turn', 'skip-conflicts', 'dry-run'], call: rollBack },
  verify: { needsId: false, options: [], call: verifyChronicle },
};

export const chronicleCommand: Command = {
  usage: 'list | diff ID | rollback ID [--turn] | verify',
  about: 'Shows what actions changed, and takes it back.',
  details: [
    'list      actions that changed something, newest first, and those that were taken back [--limit N]',
    'diff      what an action changed, against what is there now',
    'rollback  puts everything back as it was before an action. If something was changed since, nothing is touched and',
    '          it says what; --skip-conflicts restores the rest. A rollback is in the list, too: take it back the same way',
    'verify    hashes everything that is kept again',
    '',
    'ID is the id of an action, or at least six characters of its beginning. With --turn all of the answer counts that the',
    'action belongs to.',
    'Exit codes: 0 done, 1 damage was found, 3 a conflict: nothing was touched.',
  ],
  takesWords: true,
  options: {
    ...JSON_OPTION,
    limit: { about: 'list: how many (50)', value: 'N' },
    turn: { about: 'diff, rollback: the whole answer' },
    'skip-conflicts': { about: 'rollback: leave what was changed since, restore the rest' },
    'dry-run': { about: 'rollback: only say what would be' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const [name = 'list', id, ...rest] = args.words;
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (verb === undefined) {
    const near = nearest(name, Object.keys(VERBS));
    throw chronicleUsage(
      `unknown: chronicle ${name}${near === undefined ? '' : ` (did you mean "${near}"?)`}`,
    );
  }
  refuseStray(name, verb, id, rest, args);
  const stdout = new Output(environment.stdout, environment.env);
  const stderr = new Output(environment.stderr, environment.env);
  const { link } = await openEngine(homeOf(environment), environment, {
    signal: new AbortController().signal,
  });
  using _link = link;
  return await link.once((client) => verb.call({ client, id: id ?? '', args, stdout, stderr }));
}

function refuseStray(
  name: string,
  verb: VerbEntry,
  id: string | undefined,
  rest: readonly string[],
  args: ParsedArguments,
): void {
  if (verb.needsId && id === undefined) throw chronicleUsage(`\`chronicle ${name}\` needs ID`);
  const extra = verb.needsId ? rest[0] : id;
  if (extra !== undefined) throw chronicleUsage(`"${extra}" is one word too many for \`chronicle ${name}\``);
  const stray = Object.keys(chronicleCommand.options).find(
    (option) => args.flag(option) && option !== 'json' && !verb.options.includes(option),
  );
  if (stray !== undefined) throw chronicleUsage(`--${stray} means nothing to \`chronicle ${name}\``);
}
