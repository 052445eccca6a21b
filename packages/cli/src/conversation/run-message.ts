import { type EngineLink, runEvents } from '@bulkhead/client';
import type { ApprovalMode as Mode, SessionEvent } from '@bulkhead/protocol';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { type Environment, hasPerson } from '../environment.ts';
import { EXIT, exitCodeOfRun } from '../exit-code.ts';
import { Output } from '../output/output.ts';
import { ApprovalService } from './approval-service.ts';
import { askOnTerminal } from './ask-on-terminal.ts';
import type { ReadImage } from './read-images.ts';
import type { RunRequest } from './run-request.ts';
import { createRunView } from './run-view.ts';
import { newestUndoable } from './undoable.ts';
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

/** A message to send, and how to run and print it. */
export interface RunMessage
  extends Pick<RunRequest, 'json' | 'approve' | 'model' | 'baseUrl' | 'maxRounds' | 'dryRun'> {
  readonly content: string;
  readonly images: readonly ReadImage[];
}

/** A message the engine has stored. */
interface Accepted {
  readonly sessionId: string;
  readonly messageId: string;
  readonly afterSeq: number;
}

/**
 * Sends one message to a session and shows its run to the end.
 *
 * @param stop fires when the person cancels the run; a closed standard output does the same
 * @returns the exit code
 */
export async function runMessage(
  link: EngineLink,
  sessionId: string,
  message: RunMessage,
  environment: Environment,
  stop: AbortSignal,
): Promise<number> {
  const stdout = new Output(environment.stdout, environment.env);
  const stopped = AbortSignal.any([stop, stdout.gone]);
  const messageId = environment.newId();
  const accepted = await send(link, sessionId, message, messageId, stopped).catch(async (cause: unknown) => {
    // The engine may have accepted it before the call was given up.
    if (stopped.aborted) {
      await link.once((client) => client.call('cancelRun', { sessionId, messageId })).catch(() => undefined);
    }
    throw cause;
  });
  using cancelling = cancelWhen(stopped, link, accepted);
  try {
    return await show(link, message, accepted, { environment, stdout, signal: cancelling.gaveUp });
  } catch (cause) {
    if (cancelling.gaveUp.aborted) return EXIT.cancelled;
    throw cause;
  }
}

async function send(
  link: EngineLink,
  sessionId: string,
  { content, approve, model, baseUrl, maxRounds, dryRun, ...message }: RunMessage,
  messageId: string,
  signal: AbortSignal,
): Promise<Accepted> {
  const options = { approve: APPROVAL[approve], model, baseUrl, maxRounds, dryRun };
  const images = [...message.images];
  const { afterSeq } = await link.repeat(
    (client) => client.call('sendMessage', { sessionId, messageId, content, images, options }, signal),
    signal,
  );
  return { sessionId, messageId, afterSeq };
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
  message: RunMessage,
  { sessionId, messageId, afterSeq }: Accepted,
  to: { readonly environment: Environment; readonly stdout: Output; readonly signal: AbortSignal },
): Promise<number> {
  const { environment, stdout, signal } = to;
  const stderr = new Output(environment.stderr, environment.env);
  const person = message.approve === 'ask' && hasPerson(environment);
  const service = person
    ? new ApprovalService({
        link,
        output: stderr,
        ask: askOnTerminal(environment),
        newId: environment.newId,
      })
    : undefined;
  const view = createRunView(stdout, stderr, message.json);
  using waiting = new WaitingNotice((line) => {
    if (!stderr.isTerminal || message.json) return;
    if (stdout.isTerminal) stdout.freshLine();
    stderr.line(stderr.palette.dim(stderr.safe(line)));
  });
  const tell = (connection: 'lost' | 'back') => {
    if (stdout.isTerminal && stderr.isTerminal) stdout.freshLine();
    stderr.line(connectionNote(connection));
  };
  waiting.begin('the session, which works on another message');
  const undo = new UndoHint();
  const over = new AbortController();
  const asking = AbortSignal.any([signal, over.signal]);
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let code: number | undefined;
  try {
    const lines = link.watch(sessionId, afterSeq, AbortSignal.any([signal, late.signal]), tell);
    for await (const { event, json } of runEvents(lines, messageId)) {
      view.show(event, json);
      if (event === undefined) continue;
      waiting.note(event);
      service?.take(event, asking);
      undo.note(event);
      code ??= codeAfter(event, messageId);
      if (code === undefined) continue;
      if (!message.json) break;
      timer ??= setTimeout(() => late.abort(), IDLE_MS);
    }
  } catch (cause) {
    if (!late.signal.aborted) throw cause;
  } finally {
    clearTimeout(timer);
    over.abort();
    await service?.idle();
  }
  if (!message.json) await undo.tell(link, stderr, signal);
  return code ?? EXIT.failed;
}

function codeAfter(event: SessionEvent, messageId: string): number | undefined {
  return event.type === 'settled' && event.message === messageId ? exitCodeOfRun(event) : undefined;
}

/** The notes on a lost connection to the engine, and on a new one. */
function connectionNote(connection: 'lost' | 'back'): string {
  return connection === 'lost' ? '… connection lost, retrying' : '… reconnected';
}

/** Shows how to undo a run's changes, if it made any. */
class UndoHint {
  /** Empty until an action of the run was executed: most runs change nothing. */
  #run = '';

  /** Takes the events of one run. */
  note(event: SessionEvent): void {
    if (event.type === 'action_completed') this.#run = event.turn;
  }

  /** One line on `output`. The answer is already complete, so a failure here is not reported. */
  async tell(link: EngineLink, output: Output, signal: AbortSignal): Promise<void> {
    const run = this.#run;
    if (run === '') return;
    const action = await link
      .once((client) => newestUndoable(client, { run }, signal))
      .catch(() => undefined);
    if (action === undefined) return;
    const command = `bulkhead chronicle rollback ${output.safe(action.id)} --turn`;
    output.line(output.palette.dim(`undo with: ${command}`));
  }
}
