import { BulkheadError, describeError, type IdSource, type Timers } from '@bulkhead/protocol';
import { ApprovalMode, ClientService } from '@bulkhead/protocol/client';
import type { Service } from '../service.ts';
import { invalidRequest, runFailure, serviceFailure } from './api-error.ts';
import type { Asked } from './asked.ts';
import type { Caller } from './caller.ts';
import type { CallerSessions, Destination } from './caller-sessions.ts';
import type { AnswerPlace, KeyedAnswer } from './keyed-answers.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';
import { type AnswerEnd, runAnswer } from './run-answer.ts';
import { RunFold, type RunPlace } from './run-fold.ts';
import { type SplitConversation, splitConversation } from './split-conversation.ts';
import { untilSequence } from './stop-sequences.ts';
import { toTheEnd } from './to-the-end.ts';

/** The prompt of a run that continues from tool results which no run waits for any more. */
const GO_ON = 'Go on from these results.';

export interface ConverseParts {
  readonly service: Service;
  readonly sessions: CallerSessions;
  readonly runs: OpenRuns;
  readonly timers: Timers;
  readonly ids: IdSource;
}

/** A request, with the facts from its headers. */
export interface Question {
  readonly caller: Caller;
  readonly asked: Asked;
  /** Model for the run; empty for the configured model. */
  readonly model: string;
  readonly destination: Destination;
  /** True if the owner's other clients may decide pending approvals; else they are denied. */
  readonly mayAsk: boolean;
  /** For a request with a key: its answer is produced once, even if its client leaves. */
  readonly keyed: KeyedAnswer | undefined;
}

/** An answer that has begun. */
export interface Conversation {
  readonly sessionId: string;
  readonly usage: RunFold['usage'];
  /**
   * Yields texts as they come, and returns how the answer ends. @throws BulkheadError if the run
   * fails, or the engine stops first
   */
  readonly answer: AsyncGenerator<string, AnswerEnd>;
}

interface Start extends RunPlace {
  readonly sessionId: string;
  /** Where it ended with calls, if it was given before. */
  readonly endSeq?: number | undefined;
}

/**
 * Sends the content of a request to its session, or its results to the run that waits for them, and
 * follows that run.
 *
 * @param signal aborts when the client leaves: the run is cancelled, unless the answer has a key
 *   to return with. A message under way is still sent, so that no unknown run remains
 * @throws BulkheadError if it can't be sent
 */
export async function converse(
  parts: ConverseParts,
  question: Question,
  signal: AbortSignal,
): Promise<Conversation> {
  try {
    const start = await startOf(parts, question);
    const fold = new RunFold(start);
    const { stop } = question.asked;
    const answer = follow(parts, question, start, fold, signal);
    return {
      sessionId: start.sessionId,
      usage: fold.usage,
      answer: stop.length === 0 ? answer : untilSequence(answer, stop),
    };
  } catch (error) {
    throw serviceFailure(error);
  }
}

async function startOf(parts: ConverseParts, question: Question): Promise<Start> {
  const { asked, caller, keyed } = question;
  const split = splitConversation(asked.items, asked.param);
  if (keyed?.known !== undefined) return await again(parts, question, split, keyed.known);
  const open = split.results.length === 0 ? undefined : parts.runs.find(caller.id, split.results);
  return open !== undefined && split.prompt === undefined
    ? await goOn(parts, open, split, question)
    : await begin(parts, question, split);
}

/**
 * Continues the answer that a request with this key began. Its message is sent again, as it may not
 * have arrived; it takes effect once.
 */
async function again(
  { sessions }: ConverseParts,
  question: Question,
  split: SplitConversation,
  { sessionId, messageId, goesOn, endSeq }: AnswerPlace,
): Promise<Start> {
  if (goesOn !== undefined) return { sessionId, messageId, ...goesOn, endSeq, isAgain: true };
  try {
    const message = messageOf(question, split, messageId);
    const { caller, destination } = question;
    const { afterSeq: seq } = await sessions.deliver(caller, { ...destination, sessionId }, message);
    return { sessionId, messageId, turn: undefined, seq, waiting: [], endSeq, isAgain: true };
  } catch (error) {
    if (!BulkheadError.is(error) || error.code !== 'not_found') throw error;
    throw invalidRequest('the session of this answer was deleted', 'idempotency-key', 'answer_gone', 409);
  }
}

async function begin(
  { sessions, ids, runs, service }: ConverseParts,
  question: Question,
  split: SplitConversation,
): Promise<Start> {
  const { asked, caller, destination, keyed } = question;
  const { history, prompt, results } = split;
  const abandoned = results.length === 0 ? undefined : runs.find(caller.id, results);
  if (abandoned !== undefined) {
    runs.forget(abandoned);
    await cancel(service, abandoned);
  }
  if (prompt === undefined && sessions.find(caller, destination) !== undefined) {
    throw invalidRequest(
      'no call waits for these results (any more): send a message of the user',
      asked.param,
      'no_such_call',
    );
  }
  const messageId = `openai-${ids()}`;
  const message = messageOf(question, split, messageId);
  const keep = (sessionId: string): void => keyed?.keep({ sessionId, messageId });
  const { sessionId, afterSeq } = await sessions.send(caller, destination, history, message, keep);
  return { sessionId, messageId, turn: undefined, seq: afterSeq, waiting: [], isAgain: false };
}

function messageOf({ asked, model, mayAsk }: Question, { prompt }: SplitConversation, messageId: string) {
  const { text: content, images } = prompt ?? { text: GO_ON, images: [] };
  const options = {
    approve: mayAsk ? ApprovalMode.ASK : ApprovalMode.DENY,
    model,
    clientTools: [...asked.tools],
  };
  return { messageId, content, images, options };
}

async function goOn(
  { runs, service }: ConverseParts,
  run: OpenRun,
  { results }: SplitConversation,
  { asked, keyed }: Question,
): Promise<Start> {
  const given = new Map(results.map(({ id, text }) => [id, text]));
  const missing = run.told.filter(({ id }) => !given.has(id)).map(({ id }) => id);
  if (missing.length > 0)
    throw invalidRequest(`the results of ${missing.join(', ')} are missing`, asked.param, 'missing_results');
  runs.forget(run);
  const { sessionId, messageId, turn, seq, untold } = run;
  const goesOn = { turn, seq, waiting: untold };
  keyed?.keep({ sessionId, messageId, goesOn });
  for (const { id, call } of run.told) {
    const request = { sessionId, callId: call, text: given.get(id) ?? '' };
    // A late result is accepted as late: the run reports it.
    await service.unary(ClientService.method.submitToolResult, request, toTheEnd());
  }
  return { sessionId, messageId, ...goesOn, isAgain: false };
}

async function* follow(
  { service, runs, timers }: ConverseParts,
  { asked, caller, keyed }: Question,
  { sessionId, messageId, seq, endSeq }: Start,
  fold: RunFold,
  signal: AbortSignal,
): AsyncGenerator<string, AnswerEnd> {
  let isOver = false;
  try {
    const watched = { sessionId, afterSeq: seq, follow: true };
    const lines = service.stream(ClientService.method.watch, watched, signal);
    const end = yield* runAnswer(fold, lines, { timers, oneCall: asked.oneCall, until: endSeq });
    if (end.finish === 'tool_calls' && endSeq === undefined) {
      const { told, untold } = end;
      runs.keep({ caller: caller.id, sessionId, messageId, ...fold.place, told, untold });
      keyed?.end(fold.place.seq);
    }
    isOver = true;
    return end;
  } catch (error) {
    if (!isStopped(error)) throw error;
    // The run continues at the next start: do not cancel it, and do not let a program's retry begin
    // it a second time.
    isOver = true;
    throw keyed === undefined ? runFailure('interrupted', describeError(error)) : error;
  } finally {
    if (!isOver && keyed === undefined) await cancel(service, { sessionId, messageId });
  }
}

function isStopped(error: unknown): boolean {
  return BulkheadError.is(error) && error.code === 'not_running';
}

/** Cancels the run, as no client waits for its answer any more. */
async function cancel(
  service: Service,
  { sessionId, messageId }: Pick<OpenRun, 'sessionId' | 'messageId'>,
): Promise<void> {
  await service.unary(ClientService.method.cancelRun, { sessionId, messageId }, toTheEnd()).catch(() => {});
}
