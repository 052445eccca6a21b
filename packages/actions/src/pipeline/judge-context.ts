import type { JudgeContext } from '@bulkhead/shield';
import type { ActionContext } from './action-context.ts';

type SessionModes = NonNullable<JudgeContext['modes']>;

/** @param now milliseconds since the epoch */
export function judgeContext(context: ActionContext, now: number): JudgeContext {
  const { request, channel } = context;
  return { request, modes: modesOf(context), now, ...(channel === undefined ? {} : { channel }) };
}

function modesOf({ offTheRecord, dryRun, approve }: ActionContext): SessionModes {
  const special = [
    ...(offTheRecord ? (['otr'] as const) : []),
    ...(dryRun ? (['dry-run'] as const) : []),
    ...(approve === 'ask' ? [] : (['unattended'] as const)),
  ];
  return special.length === 0 ? ['normal'] : special;
}
