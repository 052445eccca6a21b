import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { StopReason } from '@bulkhead/protocol/chat';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentEvent } from './connection/agent-connection.ts';
import { serveAgent } from './connection.ts';
import { type AgentBundle, bundleAgent } from './testing/agent-bundle.ts';
import { answer, deltasOf, processRequest } from './testing/messages.ts';
import { serveRun } from './testing/scripted-engine.ts';
import { spawnAgent } from './testing/spawn-agent.ts';

const TOKEN = 'a-fresh-token';
/** The largest answer that a model may give. */
const MOST = 1024 * 1024;

let bundle: AgentBundle;
beforeAll(async () => {
  bundle = await bundleAgent();
});
afterAll(() => bundle[Symbol.asyncDispose]());

/** @returns what came of `kind`, as one text */
function said(events: readonly AgentEvent[], kind: 'token' | 'thinking'): string {
  return events.flatMap((event) => (event.case === kind ? [event.value.text] : [])).join('');
}

/** The connection and the agent hold each other back; neither may wait for the other to read first. */
describe('a long answer through a real agent', () => {
  it.each([
    ['text', 200_000, 20],
    ['text', 305_250, 4_070],
    ['text', MOST, 4_070],
    ['text', MOST, MOST],
    ['thinking', MOST, 4_070],
    ['thinking', MOST, MOST],
  ] as const)(
    'passes whole and without a new agent: %s, %i characters by %i [FG10]',
    async (kind, length, piece) => {
      const text = 'many words '.repeat(length / 11 + 1).slice(0, length);
      const parts = Array.from({ length: Math.ceil(length / piece) }, (_, at) => ({
        case: kind,
        value: text.slice(at * piece, (at + 1) * piece),
      }));
      const last = deltasOf(answer(kind === 'text' ? text : 'done')).slice(-1);
      await using agent = spawnAgent(bundle.path, '--token', TOKEN, '--protocol', String(PROTOCOL_VERSION));
      const initialTools = { tools: [], groups: [] };
      const connection = await serveAgent(agent.duplex, { token: TOKEN, timeoutMs: 10_000, initialTools });
      connection.send({ case: 'process', value: processRequest() });
      const events = await serveRun(connection, [[...parts, ...last]]);
      expect(said(events, kind === 'text' ? 'token' : 'thinking') === text).toBe(true);
      expect(events.at(-1)).toMatchObject({ case: 'complete' });
    },
    20_000,
  );

  it('passes the arguments of its calls whole [FG10]', async () => {
    const json = JSON.stringify({ path: 'x'.repeat(MOST / 2) });
    const calls = ['a', 'b'].map((id) => ({ id, name: 'read', json }));
    await using agent = spawnAgent(bundle.path, '--token', TOKEN, '--protocol', String(PROTOCOL_VERSION));
    const initialTools = { tools: [], groups: [] };
    const connection = await serveAgent(agent.duplex, { token: TOKEN, timeoutMs: 10_000, initialTools });
    connection.send({ case: 'process', value: processRequest() });
    const events = await serveRun(connection, [deltasOf(answer(...calls), StopReason.TOOL_CALLS)]);
    const asked = events.flatMap((event) => (event.case === 'toolCall' ? [event.value.call] : []));
    expect(asked.map((call) => call?.argumentsJson === json)).toEqual([true, true]);
    expect(events.at(-1)).toMatchObject({ case: 'complete' });
  }, 20_000);
});
