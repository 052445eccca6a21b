import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { StopReason } from '@bulkhead/protocol/chat';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveAgent } from './connection.ts';
import { type AgentBundle, bundleAgent } from './testing/agent-bundle.ts';
import { answer, answered, processRequest } from './testing/messages.ts';
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

/**
 * The connection and the agent slow each other down; neither may wait for the other to read first.
 */
describe('a long answer through a real agent', () => {
  it('passes whole, with the arguments of its calls, and without a new agent [FG10]', async () => {
    const json = JSON.stringify({ path: 'x'.repeat(MOST / 2) });
    const calls = ['a', 'b'].map((id) => ({ id, name: 'read', json }));
    await using agent = spawnAgent(bundle.path, '--token', TOKEN, '--protocol', String(PROTOCOL_VERSION));
    const initialTools = { tools: [], groups: [] };
    const connection = await serveAgent(agent.duplex, { token: TOKEN, timeoutMs: 10_000, initialTools });
    connection.send({ case: 'process', value: processRequest() });
    const long = answer('many words '.repeat(MOST / 11), ...calls);
    const events = await serveRun(connection, [answered(long, StopReason.TOOL_CALLS)]);
    const asked = events.flatMap((event) => (event.case === 'toolCall' ? [event.value.call] : []));
    expect(asked.map((call) => call?.argumentsJson === json)).toEqual([true, true]);
    expect(events.at(-1)).toMatchObject({ case: 'complete' });
  });
});
