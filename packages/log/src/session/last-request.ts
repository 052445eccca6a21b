import type { Origin } from '@bulkhead/protocol';
import { isOf } from '@bulkhead/protocol/records';
import { type AcceptedInput, CONFIGURED, type ModelChoice, readInput } from './accepted-input.ts';
import type { SessionLog } from './session-log.ts';

/** How many records back it is looked for. */
const RECENT = 1_024;

/** The known facts of a session's last model request while nothing runs. */
export interface LastRequest {
  /** The model that the last message chose; the configured one if that is unknown. */
  readonly choice: ModelChoice;
  /** Where its answer is read, if it said so. */
  readonly shownIn: string | undefined;
  /** Where the last message came from; undefined if that isn't known. */
  readonly origin: Origin | undefined;
  /** Tokens of its system part and tools; undefined if that isn't known. */
  readonly systemTokens: number | undefined;
}

export function lastRequest(log: Pick<SessionLog, 'store'>, sessionId: string): LastRequest {
  const { store } = log;
  const recent = store.records(sessionId, { pos: Math.max(0, store.lastPos(sessionId) - RECENT) }, RECENT);
  const call = recent.filter(isOf('model_call')).findLast(({ body }) => body.purpose === 'chat');
  const tokens = call?.body.systemTokens ?? 0;
  const messageId = recent.findLast(({ type }) => type === 'settled')?.messageId ?? '';
  const input = inputOf(log, sessionId, messageId);
  const options = input?.options;
  return {
    choice: options === undefined ? CONFIGURED : { model: options.model, baseUrl: options.baseUrl },
    shownIn: options?.shownIn,
    origin: input?.origin,
    systemTokens: tokens > 0 ? tokens : undefined,
  };
}

function inputOf(
  { store }: Pick<SessionLog, 'store'>,
  sessionId: string,
  messageId: string,
): AcceptedInput | undefined {
  const pos = messageId === '' ? undefined : store.findInput(sessionId, messageId)?.pos;
  if (pos === undefined) return undefined;
  const [record] = store.records(sessionId, { pos: pos - 1 }, 1);
  return record?.type === 'input_accepted' ? readInput(messageId, record.body) : undefined;
}
