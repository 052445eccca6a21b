import type { EngineClient } from '@bulkhead/engine/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { OpenApproval } from '@bulkhead/protocol/client';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import { approvalChoices, approvalWord } from '../conversation/approval-words.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';

export const approvalsCommand: Command = {
  usage: 'list | show ID | answer ID (y | n | s | a)',
  about: 'What waits for your yes, in all sessions: to be read in full, and answered from any terminal.',
  details: [
    'list        questions that wait, oldest first',
    'show ID     one of them, with nothing of its action cut',
    'answer ID   y once, s for the session, a always (writes a rule to policies/always.yaml), n no. An id may be cut short.',
    'Exit codes: 0 done, 1 it was decided already, or its time is up.',
  ],
  takesWords: true,
  options: { ...JSON_OPTION },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const [verb = 'list', id, said, extra] = args.words;
  const isKnown =
    (verb === 'list' && id === undefined) ||
    (verb === 'show' && id !== undefined && said === undefined) ||
    (verb === 'answer' && said !== undefined && extra === undefined);
  if (!isKnown) throw usage(`unknown: approvals ${args.words.join(' ')}`);
  const signal = new AbortController().signal;
  const { link } = await openEngine(homeOf(environment), environment, { signal });
  using _link = link;
  const stdout = new Output(environment.stdout, environment.env);
  return await link.once(async (client) => {
    if (id === undefined) return list(await client.listApprovals('', signal), args, stdout);
    const question = await find(client, id, signal);
    if (said === undefined) return show(question, args, stdout);
    return answer(client, question, said, stdout);
  });
}

function list(questions: readonly OpenApproval[], args: ParsedArguments, stdout: Output): number {
  if (args.flag('json')) stdout.own(`${JSON.stringify(questions.map(asJson))}\n`);
  else if (questions.length === 0) stdout.line('nothing waits for you');
  else for (const question of questions) showQuestion(question, stdout);
  return EXIT.completed;
}

function show(question: OpenApproval, args: ParsedArguments, stdout: Output): number {
  if (args.flag('json')) stdout.own(`${JSON.stringify(asJson(question))}\n`);
  else showQuestion(question, stdout);
  return EXIT.completed;
}

function showQuestion(question: OpenApproval, stdout: Output): void {
  const { approvalId, sessionId, tool, shown, reason, expires, rule, scopes } = question;
  const { bold, dim } = stdout.palette;
  stdout.line(
    `${bold(stdout.safeLine(approvalId))}  ${stdout.safeLine(tool)} in session ${stdout.safeLine(sessionId)}`,
  );
  stdout.line(`  why: ${stdout.safeLine(reason)}`);
  for (const line of shown.split('\n')) stdout.line(`  ${stdout.safe(line)}`);
  if (rule !== '') stdout.line(`  always would write: ${stdout.safeLine(rule)}`);
  stdout.line(dim(`  until ${stdout.safeLine(expires)}; answer with ${approvalChoices(scopes)}`));
}

/** By its id or the beginning of one. @throws BulkheadError `not_found`, or `usage` for one that could be several */
async function find(client: EngineClient, id: string, signal: AbortSignal): Promise<OpenApproval> {
  const all = await client.listApprovals('', signal);
  const [found, other] = all.filter(({ approvalId }) => approvalId.startsWith(id.toUpperCase()));
  if (other !== undefined) throw usage(`${id} could be several: give more of the id`);
  const [full] = found === undefined ? [] : await client.listApprovals(found.approvalId, signal);
  if (full !== undefined) return full;
  throw new BulkheadError('not_found', `no question ${id} waits: it was answered, or its time is up`, {
    fix: 'See `bulkhead approvals list`.',
  });
}

/** Bound to the hash of what this process read, not of what the engine may have by now. */
async function answer(
  client: EngineClient,
  { sessionId, approvalId, actionHash, scopes }: OpenApproval,
  said: string,
  stdout: Output,
): Promise<number> {
  const word = approvalWord(said, scopes);
  if (word?.kind !== 'answer' || said.trim() === '') throw usage(`answer with ${approvalChoices(scopes)}`);
  const { accepted } = await client.decideApproval({
    sessionId,
    approvalId,
    actionHash,
    answer: word.answer,
  });
  stdout.line(accepted ? 'answered' : 'that was decided already, or it expired');
  return accepted ? EXIT.completed : EXIT.failed;
}

function asJson(question: OpenApproval) {
  const { approvalId, sessionId, actionId, actionHash, tool, shown, reason, expires, scopes, rule } =
    question;
  const asked = { approvalId, sessionId, actionId, actionHash, tool, shown, reason, expires, scopes };
  return rule === '' ? asked : { ...asked, rule };
}

function usage(message: string): BulkheadError {
  return new BulkheadError('usage', message, { fix: 'See `bulkhead approvals --help`.' });
}
