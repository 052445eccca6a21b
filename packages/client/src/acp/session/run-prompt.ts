import { type AgentContext, methods, type SessionUpdate, type StopReason } from '@agentclientprotocol/sdk';
import { BulkheadError, type Clock, errorCode, type SessionEvent } from '@bulkhead/protocol';
import type { EngineLink } from '../../engine-link.ts';
import { runEvents } from '../../run-events.ts';
import type { PromptMessage } from '../content/prompt-message.ts';
import type { EditorAbilities } from '../updates/editor-abilities.ts';
import { RunUpdates } from '../updates/run-updates.ts';
import { PermissionService } from './permission-service.ts';
import type { SessionChoices } from './session-choices.ts';

/** How long a cancelled run may take to end, milliseconds. */
const CANCEL_MS = 5_000;

type Settled = Extract<SessionEvent, { type: 'settled' }>;

/** A message of a session, until its answer is complete. */
export interface PromptRun {
  readonly link: EngineLink;
  readonly client: AgentContext;
  readonly sessionId: string;
  readonly folder: string;
  readonly message: PromptMessage;
  readonly options: SessionChoices['runOptions'];
  readonly abilities: EditorAbilities;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: (line: string) => void;
  /** Fires when the person cancels it, or the editor is gone. */
  readonly stop: AbortSignal;
}

/**
 * Sends a message and reports its whole run to the editor. If reporting ends early, the run ends
 * too: an agent must not continue unseen.
 *
 * @throws BulkheadError the run's error; `not_running` if the engine stays away
 */
export async function runPrompt(run: PromptRun): Promise<StopReason> {
  const { link, sessionId, stop } = run;
  const messageId = run.newId();
  const accepted = await send(run, messageId);
  const giveUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    timer ??= setTimeout(() => giveUp.abort(), CANCEL_MS);
    const request = { sessionId, messageId };
    link
      .repeat((client) => client.call('cancelRun', request, giveUp.signal), giveUp.signal)
      .catch(() => giveUp.abort());
  };
  if (stop.aborted) cancel();
  else stop.addEventListener('abort', cancel, { once: true });
  let settled: Settled | undefined;
  try {
    const ended = await tell(run, messageId, accepted, giveUp.signal);
    settled = ended.settled;
    return stopReason(settled, ended.cutOff);
  } catch (cause) {
    if (giveUp.signal.aborted) return 'cancelled';
    throw cause;
  } finally {
    stop.removeEventListener('abort', cancel);
    if (settled === undefined && !stop.aborted) await endUnseen(run, messageId);
    clearTimeout(timer);
    giveUp.abort();
  }
}

/** @returns the start of its events */
async function send(run: PromptRun, messageId: string): Promise<number> {
  const { link, sessionId, message, options } = run;
  const request = {
    sessionId,
    messageId,
    content: message.text,
    images: message.images.map(({ mediaType, data }) => ({ mediaType, data: Uint8Array.from(data) })),
    options,
  };
  const { signal } = new AbortController();
  const { afterSeq } = await link.repeat((client) => client.call('sendMessage', request, signal), signal);
  return afterSeq;
}

async function tell(
  run: PromptRun,
  messageId: string,
  afterSeq: number,
  signal: AbortSignal,
): Promise<{ readonly settled: Settled | undefined; readonly cutOff: boolean }> {
  const { link, client, sessionId, folder, abilities, clock, newId, log } = run;
  const updates = new RunUpdates(folder, abilities, clock, newId);
  using service = new PermissionService({ link, client, sessionId, folder, log });
  let cutOff = false;
  const lines = link.watch(sessionId, afterSeq, signal, (connection) => log(`connection ${connection}`));
  for await (const { event } of runEvents(lines, messageId)) {
    if (event === undefined) continue;
    for (const update of updates.take(event)) await notify(client, sessionId, update);
    const about = 'action' in event ? updates.tools.callOf(event.action) : undefined;
    service.take(event, about);
    if (event.type === 'turn_end') cutOff = event.stopReason === 'length';
    if (event.type === 'settled' && event.message === messageId) return { settled: event, cutOff };
  }
  return { settled: undefined, cutOff };
}

/** Best effort: without an engine no run continues either. */
async function endUnseen({ link, sessionId }: PromptRun, messageId: string): Promise<void> {
  const signal = AbortSignal.timeout(CANCEL_MS);
  await link.once((client) => client.call('cancelRun', { sessionId, messageId }, signal)).catch(() => false);
}

/** @throws BulkheadError for a run that failed */
function stopReason(settled: Settled | undefined, cutOff: boolean): StopReason {
  if (settled === undefined) throw new BulkheadError('internal', 'the run ended without a result');
  switch (settled.outcome) {
    case 'aborted':
      return 'cancelled';
    case 'limit':
      return 'max_turn_requests';
    case 'failed': {
      const { code = 'internal', message = 'the run failed' } = settled.error ?? {};
      throw new BulkheadError(errorCode(code) ?? 'internal', message);
    }
    case 'completed':
    case 'merged':
    case 'blocked':
      return cutOff ? 'max_tokens' : 'end_turn';
  }
}

/** Sends the editor an update of a session. */
export function notify(client: AgentContext, sessionId: string, update: SessionUpdate): Promise<void> {
  return client.notify(methods.client.session.update, { sessionId, update });
}
