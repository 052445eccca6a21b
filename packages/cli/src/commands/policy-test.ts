import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import {
  createCommandReadings,
  type LaterAnswer,
  openLaterTiers,
  type PolicyAnswer,
  type PolicyQuestion,
  questionAction,
  readNamedPolicy,
  readQuestion,
  testPolicy,
} from '@bulkhead/engine/offline/policy';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { unreadable } from '../arguments/unreadable.ts';
import { verbUsageError } from '../arguments/verb-table.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';

const ACTION_OPTIONS = ['tool', 'action', 'cases'];
const LATER: Readonly<Record<LaterAnswer['from'], string>> = {
  analysis: 'tier 1, the analysis',
  flow: 'information flow',
};

/** A question and its answer. */
interface Tested extends PolicyAnswer {
  /** A question asked beside the policy or after it, with its answer. */
  readonly later: readonly LaterAnswer[];
  readonly expect?: PolicyQuestion['expect'];
  /** Absent if no result was expected. */
  readonly ok?: boolean;
}

interface FinalVerdict {
  readonly decision: 'allow' | 'escalate' | 'block';
  /** Name of the rule. */
  readonly by: string;
  readonly reason: string;
}

const WORDS: Readonly<Record<LaterAnswer['decision'] | PolicyAnswer['decision'], string>> = {
  allow: 'allow',
  escalate: 'ask',
  block: 'block',
  next: 'the next check decides',
};

/**
 * `policy test [FILE] [COMMAND]`: evaluates one policy and the checks after it. Nothing is
 * executed.
 */
export async function testFile(
  words: readonly string[],
  args: ParsedArguments,
  environment: Environment,
): Promise<number> {
  const { file, command } = wordsOf(words, args);
  const which = file !== undefined && /[./]/.test(file) ? resolve(environment.cwd, file) : file;
  const layout = homeOf(environment);
  const { policy } = readNamedPolicy(layout, which, { preset: args.flag('preset') });
  const now = Date.now();
  const readings = createCommandReadings(homedir());
  const laterTiers = openLaterTiers({ layout, home: homedir(), policy: policy.name, readings });
  const stdout = new Output(environment.stdout, environment.env);
  let isWrong = false;
  for (const question of questionsOf(command, args, environment)) {
    const action = questionAction(question, environment.cwd);
    const answer = testPolicy(policy, action, question, { now, startedBy: readings.startedBy });
    const later = await laterTiers(action, answer.decision === 'next');
    const { expect } = question;
    const said = expect === undefined ? {} : { expect, ok: answer.decision === expect };
    const tested: Tested = { ...answer, ...said, later };
    isWrong ||= tested.ok === false;
    if (args.flag('json')) stdout.own(`${JSON.stringify(tested)}\n`);
    else show(tested, policy.name, stdout, args.value('cases') !== undefined);
  }
  return isWrong ? EXIT.failed : EXIT.completed;
}

/** Without an option for the action, the last word is a command of `bash`. */
function wordsOf(
  [first, second]: readonly string[],
  args: ParsedArguments,
): { readonly file: string | undefined; readonly command: string | undefined } {
  const isGiven = ACTION_OPTIONS.some((option) => args.flag(option));
  if (!isGiven)
    return second === undefined ? { file: undefined, command: first } : { file: first, command: second };
  if (second === undefined) return { file: first, command: undefined };
  throw verbUsageError('policy', `unexpected argument "${second}" beside an action`);
}

function questionsOf(
  command: string | undefined,
  args: ParsedArguments,
  environment: Environment,
): readonly PolicyQuestion[] {
  if (command !== undefined) return [readQuestion({ tool: 'bash', arguments: { command } })];
  const [tool, action, cases] = [args.value('tool'), args.value('action'), args.value('cases')];
  if ([tool, action, cases].filter((one) => one !== undefined).length !== 1) {
    throw new BulkheadError(
      'usage',
      'give an action: COMMAND, --tool T --args JSON, --action JSON or --cases FILE',
      {
        fix: 'See `bulkhead policy --help`.',
      },
    );
  }
  if (tool !== undefined)
    return [readQuestion({ tool, arguments: parseJson(args.value('args') ?? '{}', '--args') })];
  if (action !== undefined) return [readQuestion(parseJson(action, '--action'))];
  const path = resolve(environment.cwd, cases ?? '');
  return readLines(path).map((line, at) => readQuestion(parseJson(line, `${path}:${at + 1}`)));
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n');
  } catch (cause) {
    throw unreadable(path, cause, 'Name a file of actions, one JSON object to a line.');
  }
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BulkheadError('usage', `${where} is no JSON: ${describeError(cause)}`, {
      cause,
      fix: 'See `bulkhead policy --help`.',
    });
  }
}

function show(tested: Tested, policy: string, stdout: Output, brief: boolean): void {
  const { bold, green, red, yellow, dim } = stdout.palette;
  const { decision, by, reason } = verdictOf(tested);
  const paint = { allow: green, block: red, escalate: yellow }[decision];
  const rule = by === '' ? '' : ` by ${stdout.safeLine(by)}`;
  const wrong = tested.ok === false ? red(` (expected ${tested.expect})`) : '';
  stdout.line(`${bold(stdout.safeLine(tested.tool))}: ${paint(WORDS[decision])}${rule}${wrong}`);
  stdout.line(`  why: ${stdout.safeLine(reason)}`);
  if (by !== tested.rule)
    stdout.line(`  policy: ${WORDS[tested.decision]} by ${stdout.safeLine(tested.rule)}${tierNote(tested)}`);
  for (const { from, decision: later, rule: name, reason: why } of tested.later)
    stdout.line(`  ${LATER[from]}: ${WORDS[later]} by ${stdout.safeLine(name)}: ${stdout.safeLine(why)}`);
  if (brief && tested.ok !== false) return;
  for (const { list, rule: name, because } of tested.passed)
    stdout.line(dim(`  not ${list} ${stdout.safeLine(name)}: ${stdout.safeLine(because)}`));
  if (tested.passed.length === 0) stdout.line(dim(`  the first rule of policy ${stdout.safeLine(policy)}`));
}

/** The verdict of all checks together: the strictest; a policy that leaves it open asks at least. */
function verdictOf({ decision, rule, reason, later }: Tested): FinalVerdict {
  const own = decision === 'next' ? undefined : { decision, by: rule, reason };
  const all = [
    ...(own === undefined ? [] : [own]),
    ...later.map((answer) => ({ decision: answer.decision, by: answer.rule, reason: answer.reason })),
  ];
  for (const wanted of ['block', 'escalate', 'allow'] as const) {
    const found = all.find((one) => one.decision === wanted);
    if (found !== undefined) return found;
  }
  return { decision: 'escalate', by: rule, reason };
}

function tierNote({ decision, minTier }: Tested): string {
  if (decision !== 'next') return '';
  if (minTier === undefined) return '; the later tiers decide, or a person';
  return `; ${minTier === 1 ? 'the analysis' : 'the evaluator'} must allow it, else a person decides`;
}
