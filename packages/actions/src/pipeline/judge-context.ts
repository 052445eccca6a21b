import type { Action } from '@bulkhead/protocol';
import { type JudgeContext, standingWords } from '@bulkhead/shield';
import type { ActionContext } from './action-context.ts';

type SessionModes = NonNullable<JudgeContext['modes']>;

/** @param now milliseconds since the epoch */
export function judgeContext(
  { origin }: Pick<Action, 'origin'>,
  context: ActionContext,
  now: number,
): JudgeContext {
  const about = { request: standingWords(context.requests), modes: modesOf(context), now };
  if (origin === undefined) return about;
  const { channel, sender, profile } = origin;
  return { ...about, channel, sender: sender.id, profile };
}

function modesOf({ offTheRecord, dryRun, approve }: ActionContext): SessionModes {
  const special = [
    ...(offTheRecord ? (['otr'] as const) : []),
    ...(dryRun ? (['dry-run'] as const) : []),
    ...(approve === 'ask' ? [] : (['unattended'] as const)),
  ];
  return special.length === 0 ? ['normal'] : special;
}
