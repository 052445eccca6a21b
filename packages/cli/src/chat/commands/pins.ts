import type { EngineClient } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';

/** Pinned rules for a person, one per line. */
export function ruleLines(rules: readonly string[]): readonly string[] {
  return rules.length === 0 ? ['no rule is pinned'] : rules.map((rule, at) => `${at + 1}. ${rule}`);
}

/** `/pins` @returns lines for the person, not yet made safe, as all functions here do */
export async function listPins(
  client: EngineClient,
  sessionId: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  return ruleLines((await client.call('listRules', { sessionId }, signal)).rules);
}

/** `/pin TEXT`; without TEXT as `/pins`. */
export async function pin(
  client: EngineClient,
  sessionId: string,
  rule: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  if (rule.trim() === '') return await listPins(client, sessionId, signal);
  return ruleLines((await client.call('pinRule', { sessionId, rule }, signal)).rules);
}

/** `/unpin N` @throws BulkheadError `usage` if N is not a number */
export async function unpin(
  client: EngineClient,
  sessionId: string,
  text: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const number = numberOfRule(text);
  return ruleLines((await client.call('unpinRule', { sessionId, number }, signal)).rules);
}

/** @throws BulkheadError `usage` */
export function numberOfRule(text: string): number {
  if (/^\d{1,3}$/.test(text.trim())) return Number(text);
  throw new BulkheadError('usage', `"${text}" is not the number of a rule`, {
    fix: '/pins shows the numbers.',
  });
}
