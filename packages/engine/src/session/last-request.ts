import { CONFIGURED, type ModelChoice } from '../models/model-choice.ts';
import { readInput } from './accepted-input.ts';
import type { SessionLog } from './session-log.ts';

/** How many records back it is looked for. */
const RECENT = 1_024;

/** What is known of a session's last model request while nothing runs. */
export interface LastRequest {
  /** What the last message asked for; the configured model if that isn't known. */
  readonly choice: ModelChoice;
  /** Tokens of its system part and tools; undefined if that isn't known. */
  readonly systemTokens: number | undefined;
}

export function lastRequest(log: Pick<SessionLog, 'store'>, sessionId: string): LastRequest {
  const { store } = log;
  const recent = store.records(sessionId, { pos: Math.max(0, store.lastPos(sessionId) - RECENT) }, RECENT);
  const call = recent.findLast(({ type, body }) => type === 'model_call' && body['purpose'] === 'chat');
  const tokens = call?.body['systemTokens'];
  const messageId = recent.findLast(({ type }) => type === 'settled')?.messageId ?? '';
  return {
    choice: choiceOf(log, sessionId, messageId),
    systemTokens: typeof tokens === 'number' && tokens > 0 ? tokens : undefined,
  };
}

function choiceOf({ store }: Pick<SessionLog, 'store'>, sessionId: string, messageId: string): ModelChoice {
  const pos = messageId === '' ? undefined : store.findInput(sessionId, messageId)?.pos;
  if (pos === undefined) return CONFIGURED;
  const [record] = store.records(sessionId, { pos: pos - 1 }, 1);
  const options = record === undefined ? undefined : readInput(messageId, record.body)?.options;
  return options === undefined ? CONFIGURED : { model: options.model, baseUrl: options.baseUrl };
}
