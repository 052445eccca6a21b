import type { EngineLink } from '@bulkhead/client';
import { runEvents } from '@bulkhead/client';
import type { ApprovalMode as Mode, SessionEvent } from '@bulkhead/protocol';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { type Environment, hasPerson } from '../environment.ts';
import { EXIT, exitCodeOfRun } from '../exit-code.ts';
import { Output } from '../output/output.ts';
import { ApprovalService } from './approval-service.ts';
import { askOnTerminal } from './ask-on-terminal.ts';
import { refuseBaseUrlOffline } from './check-base-url.ts';
import { connectionNote } from './connection-note.ts';
import { findSession, refuseOtherRecord } from './find-session.ts';
import type { ReadImage } from './read-images.ts';
import type { RunRequest } from './run-request.ts';
import { createRunView } from './run-view.ts';
import { UndoHint } from './undo-hint.ts';
import { WaitingNotice } from './waiting-notice.ts';

/** Time a cancelled run may take to end. */
const CANCEL_MS = 2_000;
/** Time to wait for `idle` after `settled`: the run is over by then, whatever else follows. */
const IDLE_MS = 1_000;

const APPROVAL: Readonly<Record<Mode, ApprovalMode>> = {
  ask: ApprovalMode.ASK,
  deny: ApprovalMode.DENY,
  allow: ApprovalMode.ALLOW,
};

/** A `run` whose prompt and images were read. */
export type RunMessage = Omit<RunRequest, 'images'> & {
  readonly content: string;
  readonly images: readonly ReadImage[];
};

/** A message the engine has stored. */
interface Accepted {
  readonly sessionId: string;
  readonly messageId: string;
  readonly afterSeq: number;
}

/**
 * Sends one message and shows its run to the end.
 *
 * @param stop fires when the person cancels the run; a closed standard output does the same
 * @returns the exit code
 */
export async function runMessage(
  link: EngineLink,
  request: RunMessage,
  environment: Environment,
  stop: AbortSignal,
): Promise<number> {
  const stdout = new Output(environment.stdout, environment.env);
  const stopped = AbortSignal.any([stop, stdout.gone]);
  const stderr = new Output(environment.stderr, environment.env);
  const tellFolder = (folder: string): void => {
    if (request.json) return;
    stderr.line(`note: this session works in ${stderr.safeLine(folder)}, not in the folder you are in`);
  };
  const accepted = await send(link, request, environment.newId(), stopped, tellFolder);
  using cancelling = cancelWhen(stopped, link, accepted);
  try {
    const code = await show(link, request, accepted, { environment, stdout, signal: cancelling.gaveUp });
    tellHowToGoOn(request, accepted.sessionId, stderr);
    return code;
  } catch (cause) {
    if (cancelling.gaveUp.aborted) return EXIT.cancelled;
    throw cause;
  }
}

/** For a person only. An off-the-record session ends with its private engine. */
function tellHowToGoOn(request: RunMessage, sessionId: string, stderr: Output): void {
  const { json, isolated, offTheRecord } = request;
  if (!stderr.isTerminal || json || (isolated && offTheRecord)) return;
  const otr = offTheRecord ? ' --otr' : '';
  stderr.line(stderr.palette.dim(`continue with: bulkhead chat${otr} --session ${stderr.safe(sessionId)}`));
}

async function send(
  link: EngineLink,
  request: RunMessage,
  messageId: string,
  signal: AbortSignal,
  tellFolder: (folder: string) => void,
): Promise<Accepted> {
  const { content, approve, model, baseUrl, maxRounds, dryRun } = request;
  await refuseBaseUrlOffline(link, request, signal);
  const sessionId = await sessionFor(link, request, signal, tellFolder);
  const options = { approve: APPROVAL[approve], model, baseUrl, maxRounds, dryRun };
  const images = [...request.images];
  const { afterSeq } = await link.repeat(
    (client) => client.call('sendMessage', { sessionId, messageId, content, images, options }, signal),
    signal,
  );
  return { sessionId, messageId, afterSeq };
}

async function sessionFor(
  link: EngineLink,
  request: RunMessage,
  signal: AbortSignal,
  tellFolder: (folder: string) => void,
): Promise<string> {
  const { session, workingFolder, offTheRecord } = request;
  if (session === undefined) {
    const made = await link.once((client) =>
      client.call('createSession', { workingFolder, offTheRecord }, signal),
    );
    return made.sessionId;
  }
  const known = await link.repeat((client) => findSession(client, session, signal), signal);
  refuseOtherRecord(session, known, offTheRecord);
  if (known !== undefined && known.workingFolder !== workingFolder) tellFolder(known.workingFolder);
  return known?.sessionId ?? session;
}

/** `gaveUp` fires when a cancelled run has not ended in time. */
function cancelWhen(
  stopped: AbortSignal,
  link: EngineLink,
  { sessionId, messageId }: Accepted,
): Disposable & { readonly gaveUp: AbortSignal } {
  const giveUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    timer = setTimeout(() => giveUp.abort(), CANCEL_MS);
    link
      .repeat((client) => client.call('cancelRun', { sessionId, messageId }, giveUp.signal), giveUp.signal)
      .catch(() => giveUp.abort());
  };
  if (stopped.aborted) cancel();
  else stopped.addEventListener('abort', cancel, { once: true });
  return {
    gaveUp: giveUp.signal,
    [Symbol.dispose]() {
      stopped.removeEventListener('abort', cancel);
      clearTimeout(timer);
      giveUp.abort();
    },
  };
}

async function show(
  link: EngineLink,
  request: RunMessage,
  { sessionId, messageId, afterSeq }: Accepted,
  to: { readonly environment: Environment; readonly stdout: Output; readonly signal: AbortSignal },
): Promise<number> {
  const { environment, stdout, signal } = to;
  const stderr = new Output(environment.stderr, environment.env);
  const person = request.approve === 'ask' && hasPerson(environment);
  const service = person
    ? new ApprovalService({
        link,
        output: stderr,
        ask: askOnTerminal(environment),
      })
    : undefined;
  const view = createRunView(stdout, stderr, request.json);
  using waiting = new WaitingNotice((line) => {
    if (!stderr.isTerminal || request.json) return;
    if (stdout.isTerminal) stdout.freshLine();
    stderr.line(stderr.palette.dim(stderr.safe(line)));
  });
  const tell = (connection: 'lost' | 'back') => {
    if (stdout.isTerminal && stderr.isTerminal) stdout.freshLine();
    stderr.line(connectionNote(connection));
  };
  waiting.begin('the session, which works on another message');
  const undo = new UndoHint();
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let code: number | undefined;
  try {
    const lines = link.watch(sessionId, afterSeq, AbortSignal.any([signal, late.signal]), tell);
    for await (const { event, json } of runEvents(lines, messageId)) {
      view.show(event, json);
      if (event === undefined) continue;
      waiting.note(event);
      service?.take(event, signal);
      undo.note(event);
      code ??= codeAfter(event, messageId);
      if (code === undefined) continue;
      if (!request.json) break;
      timer ??= setTimeout(() => late.abort(), IDLE_MS);
    }
  } catch (cause) {
    if (!late.signal.aborted) throw cause;
  } finally {
    clearTimeout(timer);
  }
  if (!request.json) await undo.tell(link, stderr, signal);
  return code ?? EXIT.failed;
}

function codeAfter(event: SessionEvent, messageId: string): number | undefined {
  return event.type === 'settled' && event.message === messageId ? exitCodeOfRun(event) : undefined;
}
