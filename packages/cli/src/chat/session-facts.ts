import type { EngineClient } from '@bulkhead/engine/client';
import type { Output } from '../output/output.ts';
import { sumUsage, usageText } from '../usage/usage-total.ts';

const LISTED = 20;

/** `/sessions`: the newest sessions; a star before the one at hand. */
export async function printSessions(client: EngineClient, current: string, output: Output): Promise<void> {
  const { sessions } = await client.listSessions(LISTED);
  for (const { sessionId, title, updatedAt, offTheRecord } of sessions) {
    const mark = sessionId === current ? '*' : ' ';
    const text = [sessionId, updatedAt, title, ...(offTheRecord ? ['(off the record)'] : [])].join('  ');
    output.line(`${mark} ${output.safeLine(text)}`);
  }
}

/** `/cost`: all model calls of a session. */
export async function printCost(client: EngineClient, sessionId: string, output: Output): Promise<void> {
  const rows = await client.readUsage({ sessionId });
  output.line(`this session: ${output.safeLine(usageText(sumUsage(rows)))}`);
}
