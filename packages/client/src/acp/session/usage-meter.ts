import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { EngineLink } from '../../engine-link.ts';

/**
 * How full the model's window is and what the session has cost, both by the engine's count.
 *
 * @returns undefined if the model's window is unknown
 */
export async function usageMeter(
  link: EngineLink,
  sessionId: string,
  signal: AbortSignal,
): Promise<SessionUpdate | undefined> {
  const [context, { rows }] = await link.repeat(
    (client) =>
      Promise.all([
        client.call('readContext', { sessionId }, signal),
        client.call('readUsage', { sessionId }, signal),
      ]),
    signal,
  );
  if (context.contextWindow === 0) return undefined;
  const used = context.sections.reduce((sum, { tokens }) => sum + tokens, 0);
  // An incomplete sum would look like the total.
  const isWhole = rows.length > 0 && rows.every(({ unpriced }) => unpriced === 0);
  const amount = rows.reduce((sum, { cost }) => sum + cost, 0);
  return {
    sessionUpdate: 'usage_update',
    used,
    size: context.contextWindow,
    ...(isWhole ? { cost: { amount, currency: 'USD' } } : {}),
  };
}
