import type { IdSource, Timers } from '@bulkhead/protocol';
import { ApprovalMode, ClientService } from '@bulkhead/protocol/client';
import type { Service } from '../service.ts';
import { invalidRequest, serviceFailure } from './api-error.ts';
import type { Asked } from './asked.ts';
import type { Caller } from './caller.ts';
import type { CallerSessions, Destination } from './caller-sessions.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';
import { type AnswerEnd, runAnswer } from './run-answer.ts';
import { RunFold, type RunPlace } from './run-fold.ts';
import { type SplitConversation, splitConversation } from './split-conversation.ts';

/** A run that was told to go on from results of calls that nobody waits for any more. */
const GO_ON = 'Go on from these results.';

export interface ConverseParts {
  readonly service: Service;
  readonly sessions: CallerSessions;
  readonly runs: OpenRuns;
  readonly timers: Timers;
  readonly ids: IdSource;
}

/** A request, with what its headers say. */
export interface Question {
  readonly caller: Caller;
  readonly asked: Asked;
  /** What a run is told; empty for the configured model. */
  readonly model: string;
  readonly destination: Destination;
  /** True if the owner's other clients may answer what needs approval; else it is denied. */
  readonly mayAsk: boolean;
  /** Where the messages stand in the request. */
  readonly param: string;
}

/** An answer that has begun. */
export interface Conversation {
  readonly sessionId: string;
  readonly usage: RunFold['usage'];
  /** Texts as they come, then how it ends. @throws BulkheadError if the run fails */
  readonly answer: AsyncGenerator<string, AnswerEnd>;
}

interface Start extends RunPlace {
  readonly sessionId: string;
}

/**
 * Sends what a request says to its session, or its results to the run that waits for them, and follows that run.
 *
 * @param signal the one who asked has left: the run is cancelled
 * @throws BulkheadError if it can't be sent
 */
export async function converse(
  parts: ConverseParts,
  question: Question,
  signal: AbortSignal,
): Promise<Conversation> {
  const { asked, caller, param } = question;
  const split = splitConversation(asked.items, param);
  const open = split.results.length === 0 ? undefined : parts.runs.find(caller.id, split.results);
  try {
    const start =
      open !== undefined && split.prompt === undefined
        ? await goOn(parts, open, split, param, signal)
        : await begin(parts, question, split, signal);
    const fold = new RunFold(start, () => `call_${parts.ids()}`);
    return {
      sessionId: start.sessionId,
      usage: fold.usage,
      answer: follow(parts, question, start, fold, signal),
    };
  } catch (error) {
    throw serviceFailure(error);
  }
}

async function begin(
  { sessions, ids, runs, service }: ConverseParts,
  { asked, caller, model, destination, mayAsk, param }: Question,
  { history, prompt, results }: SplitConversation,
  signal: AbortSignal,
): Promise<Start> {
  const abandoned = results.length === 0 ? undefined : runs.find(caller.id, results);
  if (abandoned !== undefined) {
    runs.forget(abandoned);
    await cancel(service, abandoned);
  }
  if (prompt === undefined && sessions.find(caller, destination) !== undefined) {
    throw invalidRequest(
      'no call waits for these results (any more): send a message of the user',
      param,
      'no_such_call',
    );
  }
  const messageId = `openai-${ids()}`;
  const { text: content, images } = prompt ?? { text: GO_ON, images: [] };
  const options = {
    approve: mayAsk ? ApprovalMode.ASK : ApprovalMode.DENY,
    model,
    clientTools: [...asked.tools],
    shownIn: 'api',
  };
  const message = { messageId, content, images, options };
  const { sessionId, afterSeq } = await sessions.send(caller, destination, history, message, signal);
  return { sessionId, messageId, turn: undefined, seq: afterSeq, waiting: [] };
}

async function goOn(
  { runs, service }: ConverseParts,
  run: OpenRun,
  { results }: SplitConversation,
  param: string,
  signal: AbortSignal,
): Promise<Start> {
  const given = new Map(results.map(({ id, text }) => [id, text]));
  const missing = run.told.filter(({ id }) => !given.has(id)).map(({ id }) => id);
  if (missing.length > 0)
    throw invalidRequest(`the results of ${missing.join(', ')} are missing`, param, 'missing_results');
  runs.forget(run);
  const { sessionId, messageId, turn, seq, untold } = run;
  for (const { id, call } of run.told) {
    const request = { sessionId, callId: call, text: given.get(id) ?? '' };
    // One that came too late counts as that: the run says so itself.
    await service.unary(ClientService.method.submitToolResult, request, signal);
  }
  return { sessionId, messageId, turn, seq, waiting: untold };
}

async function* follow(
  { service, runs, timers }: ConverseParts,
  { asked, caller }: Question,
  { sessionId, messageId, seq }: Start,
  fold: RunFold,
  signal: AbortSignal,
): AsyncGenerator<string, AnswerEnd> {
  let isOver = false;
  try {
    const watched = { sessionId, afterSeq: seq, follow: true };
    const lines = service.stream(ClientService.method.watch, watched, signal);
    const end = yield* runAnswer(fold, lines, { timers, oneCall: asked.oneCall });
    if (end.finish === 'tool_calls') {
      const { told, untold } = end;
      runs.keep({ caller: caller.id, sessionId, messageId, ...fold.place, told, untold });
    }
    isOver = true;
    return end;
  } finally {
    if (!isOver) await cancel(service, { sessionId, messageId });
  }
}

/** Nobody is there for its answer any more. */
async function cancel(
  service: Service,
  { sessionId, messageId }: Pick<OpenRun, 'sessionId' | 'messageId'>,
): Promise<void> {
  const patience = new AbortController().signal;
  await service.unary(ClientService.method.cancelRun, { sessionId, messageId }, patience).catch(() => {});
}
