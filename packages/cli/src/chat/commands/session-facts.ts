import { type EngineClient, firstWords } from '@bulkhead/client';
import type { Output } from '../../output/output.ts';
import { sumUsage, usageText } from '../../usage/usage-total.ts';

const LISTED = 20;

/**
 * `/sessions`: the newest sessions with messages; a star marks the current one, which is always
 * shown.
 */
export async function printSessions(
  client: EngineClient,
  current: string,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const { sessions } = await client.call('listSessions', { limit: LISTED * 3 }, signal);
  const shown = sessions
    .filter(({ title, messages, sessionId }) => title !== '' || messages > 0 || sessionId === current)
    .slice(0, LISTED);
  const words = await firstWords(client, shown, signal);
  for (const { sessionId, title, updatedAt, offTheRecord } of shown) {
    const mark = sessionId === current ? '*' : ' ';
    const name = title || words.get(sessionId) || '';
    const text = [sessionId, updatedAt, name, ...(offTheRecord ? ['(off the record)'] : [])].join('  ');
    output.line(`${mark} ${output.safeLine(text)}`);
  }
}

/** `/cost`: the usage of all model calls of a session. */
export async function printCost(client: EngineClient, sessionId: string, output: Output): Promise<void> {
  const { rows } = await client.call('readUsage', { sessionId });
  output.line(`this session: ${output.safeLine(usageText(sumUsage(rows)))}`);
}
