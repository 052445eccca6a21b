import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { EngineLink } from '../../engine-link.ts';

/**
 * How full the model's window is and what the session has cost, as the engine counts both.
 *
 * @returns undefined where the window of the model is not known
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
  // A sum that leaves calls out would be told as all of it.
  const isWhole = rows.length > 0 && rows.every(({ unpriced }) => unpriced === 0);
  const amount = rows.reduce((sum, { cost }) => sum + cost, 0);
  return {
    sessionUpdate: 'usage_update',
    used,
    size: context.contextWindow,
    ...(isWhole ? { cost: { amount, currency: 'USD' } } : {}),
  };
}
