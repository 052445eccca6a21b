import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import {
  createParseCommand,
  type PolicyAnswer,
  type PolicyQuestion,
  readNamedPolicy,
  readQuestion,
  testPolicy,
} from '@bulkhead/engine/client/policy';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';

/** What was asked, and what was said to it. */
interface Tested extends PolicyAnswer {
  readonly expect?: PolicyQuestion['expect'];
  /** Absent where nothing was expected. */
  readonly ok?: boolean;
}

/** `policy test [FILE]`: asks one policy, and nothing else. */
export function testFile(
  [file]: readonly string[],
  args: ParsedArguments,
  environment: Environment,
): Promise<number> {
  const which = file !== undefined && /[./]/.test(file) ? resolve(environment.cwd, file) : file;
  const { policy } = readNamedPolicy(homeOf(environment), which, { preset: args.flag('preset') });
  const now = Date.now();
  const parseCommand = createParseCommand(homedir());
  const tested = questionsOf(args, environment).map((question): Tested => {
    const answer = testPolicy(policy, question, environment.cwd, { now, parseCommand });
    const { expect } = question;
    return expect === undefined ? answer : { ...answer, expect, ok: answer.decision === expect };
  });
  const stdout = new Output(environment.stdout, environment.env);
  for (const one of tested) {
    if (args.flag('json')) stdout.own(`${JSON.stringify(one)}\n`);
    else show(one, policy.name, stdout, args.value('cases') !== undefined);
  }
  return Promise.resolve(tested.some(({ ok }) => ok === false) ? EXIT.failed : EXIT.completed);
}

function questionsOf(args: ParsedArguments, environment: Environment): readonly PolicyQuestion[] {
  const [tool, action, cases] = [args.value('tool'), args.value('action'), args.value('cases')];
  if ([tool, action, cases].filter((one) => one !== undefined).length !== 1) {
    throw new BulkheadError('usage', 'give an action: --tool T --args JSON, --action JSON or --cases FILE', {
      fix: 'See `bulkhead policy --help`.',
    });
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
    throw new BulkheadError('usage', `${path} can't be read: ${describeError(cause)}`, { cause });
  }
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BulkheadError('usage', `${where} is no JSON: ${describeError(cause)}`, { cause });
  }
}

function show(tested: Tested, policy: string, stdout: Output, brief: boolean): void {
  const { bold, green, red, yellow, dim } = stdout.palette;
  const paint = { allow: green, block: red, escalate: yellow, next: yellow }[tested.decision];
  const rule = tested.rule === '' ? '' : ` by ${stdout.safeLine(tested.rule)}`;
  const wrong = tested.ok === false ? red(` (expected ${tested.expect})`) : '';
  stdout.line(`${bold(stdout.safeLine(tested.tool))}: ${paint(tested.decision)}${rule}${wrong}`);
  stdout.line(`  why: ${stdout.safeLine(tested.reason)}${tierNote(tested)}`);
  if (brief && tested.ok !== false) return;
  for (const { list, rule: name, because } of tested.passed)
    stdout.line(dim(`  not ${list} ${stdout.safeLine(name)}: ${stdout.safeLine(because)}`));
  if (tested.passed.length === 0) stdout.line(dim(`  the first rule of policy ${stdout.safeLine(policy)}`));
}

function tierNote({ decision, minTier }: Tested): string {
  if (decision !== 'next') return '';
  if (minTier === undefined) return '; the later tiers decide, or a person';
  return `; ${minTier === 1 ? 'the analysis' : 'the evaluator'} must allow it, else a person decides`;
}
