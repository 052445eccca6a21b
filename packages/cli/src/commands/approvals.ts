import type { EngineClient } from '@bulkhead/client';
import { approvalFate, BulkheadError, type IdSource, matchId, otherOrigin } from '@bulkhead/protocol';
import { ApprovalAnswer, ApprovalMode, Delivery, type OpenApproval } from '@bulkhead/protocol/client';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import {
  chooseVerb,
  type VerbTable,
  verbDetails,
  verbUsage,
  verbUsageError,
} from '../arguments/verb-table.ts';
import type { Command } from '../command.ts';
import { approvalChoices, approvalWord } from '../conversation/approval-words.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { diffLine } from '../output/diff-line.ts';
import { Output } from '../output/output.ts';

type Verb = (call: ApprovalsCall) => Promise<number>;

interface ApprovalsCall {
  readonly client: EngineClient;
  readonly newId: IdSource;
  readonly words: readonly string[];
  readonly args: ParsedArguments;
  readonly stdout: Output;
  readonly signal: AbortSignal;
}

const VERBS: VerbTable<Verb> = {
  list: { about: 'pending approvals, oldest first', load: async () => list },
  show: { words: ['ID'], about: 'one approval with its whole action', load: async () => show },
  answer: {
    words: ['ID', '(y|n|s|a|i WORDS)…'],
    about:
      'y: allow once, s: in this session, a: always (adds the rule or grant that `show` names), n: deny, i WORDS: deny and tell the agent what to do instead',
    load: async () => answer,
  },
};

export const approvalsCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Lists, shows and answers the pending approvals of all sessions, from any terminal.',
  details: [
    ...verbDetails(VERBS),
    '',
    'ID may be shortened to six or more characters. To answer, use its last characters: later approvals begin alike.',
    'Exit codes: 0 done, 1 already answered or expired.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: { ...JSON_OPTION },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const { verb, words } = chooseVerb('approvals', VERBS, approvalsCommand.options, args);
  const call = await verb.load();
  const signal = new AbortController().signal;
  const { link } = await openEngine(homeOf(environment), environment, { signal });
  using _link = link;
  const stdout = new Output(environment.stdout, environment.env);
  return await link.once((client) => call({ client, newId: environment.newId, words, args, stdout, signal }));
}

async function list({ client, args, stdout, signal }: ApprovalsCall): Promise<number> {
  const { approvals: questions } = await client.call('listApprovals', {}, signal);
  if (args.flag('json')) stdout.own(`${JSON.stringify(questions.map(asJson))}\n`);
  else if (questions.length === 0) stdout.line('no pending approvals');
  else for (const question of questions) showQuestion(question, stdout);
  return EXIT.completed;
}

async function show({ client, words: [id = ''], args, stdout, signal }: ApprovalsCall): Promise<number> {
  const question = await find(client, id, signal);
  if (args.flag('json')) stdout.own(`${JSON.stringify(asJson(question))}\n`);
  else showQuestion(question, stdout);
  return EXIT.completed;
}

function showQuestion(question: OpenApproval, stdout: Output): void {
  const { approvalId, sessionId, tool, shown, reason, remainingMs, rule, scopes } = question;
  const { bold, dim } = stdout.palette;
  stdout.line(
    `${bold(stdout.safeLine(approvalId))}  ${stdout.safeLine(tool)} in session ${stdout.safeLine(sessionId)}`,
  );
  for (const line of shown.split('\n')) stdout.line(`  ${diffLine(line, stdout)}`);
  const origin = { channel: question.channel, sender: { id: question.sender, name: question.senderName } };
  const from = question.channel === '' ? '' : otherOrigin(origin, 'cli');
  if (from !== '') stdout.line(`  requested by: ${stdout.safeLine(from)}`);
  stdout.line(`  why: ${stdout.safeLine(reason)}`);
  if (rule !== '') stdout.line(`  always would add: ${stdout.safeLine(rule)}`);
  stdout.line(dim(`  expires in ${timeLeft(remainingMs)}; answer with ${approvalChoices(scopes)}`));
}

/** Finds it by its id or a part. @throws BulkheadError `not_found`, or `usage` if several match */
async function find(
  client: EngineClient,
  id: string,
  signal: AbortSignal,
  part: 'either' | 'end' = 'either',
): Promise<OpenApproval> {
  const { approvals: all } = await client.call('listApprovals', {}, signal);
  const ids = all.map(({ approvalId }) => approvalId);
  const whole = matchId(id, ids, 'questions', part);
  const [full] =
    whole === undefined ? [] : (await client.call('listApprovals', { approvalId: whole }, signal)).approvals;
  if (full !== undefined) return full;
  throw new BulkheadError('not_found', `no pending approval ${id}: it was answered or has expired`, {
    fix: 'See `bulkhead approvals list`.',
  });
}

/** Finds it by the whole id or its end: the question that the person saw, not a later one. */
async function answer({
  client,
  newId,
  words: [id = '', said = ''],
  stdout,
  signal,
}: ApprovalsCall): Promise<number> {
  const question = await find(client, id, signal, 'end');
  const { sessionId, approvalId, actionHash, scopes } = question;
  const word = approvalWord(said, scopes);
  const isAnswer = word?.kind === 'answer' || word?.kind === 'instead';
  if (!isAnswer || said.trim() === '')
    throw verbUsageError(
      'approvals',
      `answer with ${approvalChoices(scopes)}, or with i and what to do instead`,
    );
  if (word.kind === 'instead') {
    // Before the denial: the run must have the words when it goes on.
    const options = { approve: ApprovalMode.ASK };
    const message = { sessionId, messageId: newId(), content: word.words, delivery: Delivery.STEER, options };
    await client.call('sendMessage', message, signal);
  }
  const fate = approvalFate(
    await client.call('decideApproval', {
      sessionId,
      approvalId,
      actionHash,
      answer: word.kind === 'instead' ? ApprovalAnswer.DENY : word.answer,
    }),
  );
  const about = `${stdout.safeLine(question.tool)}: ${stdout.safeLine(toldValue(question.shown))}`;
  stdout.line(fate ?? `answered ${said.trim()}: ${about}`);
  return fate === undefined ? EXIT.completed : EXIT.failed;
}

/** As `4:58`. */
function timeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The question, without the place. */
function toldValue(shown: string): string {
  return shown.split('\n')[1] ?? '';
}

function asJson(question: OpenApproval) {
  const { approvalId, sessionId, actionId, actionHash, tool, shown, reason, scopes, rule } = question;
  const { expires, remainingMs, channel, sender, senderName } = question;
  const about = { approvalId, sessionId, actionId, actionHash, tool, shown, reason };
  const origin = channel === '' ? {} : { origin: { channel, sender: { id: sender, name: senderName } } };
  const asked = { ...about, expires, remainingMs, scopes, ...origin };
  return rule === '' ? asked : { ...asked, rule };
}
