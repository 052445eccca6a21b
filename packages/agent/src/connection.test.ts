import { Socket } from 'node:net';
import { create } from '@bufbuild/protobuf';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { RunEnd } from '@bulkhead/protocol/agent';
import { MessageSchema, StopReason } from '@bulkhead/protocol/chat';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentEvent } from './connection/agent-connection.ts';
import { type ServeAgentOptions, serveAgent } from './connection.ts';
import { RunDigest } from './reference/run-digest.ts';
import { type AgentBundle, bundleAgent } from './testing/agent-bundle.ts';
import {
  answer,
  answered,
  assistantMessage,
  processRequest,
  toolMessage,
  userMessage,
} from './testing/messages.ts';
import { serveRun, unclosed } from './testing/scripted-engine.ts';
import { spawnAgent } from './testing/spawn-agent.ts';

const TOKEN = 'a-fresh-token';
const PROTOCOL = ['--protocol', String(PROTOCOL_VERSION)];
const options: ServeAgentOptions = {
  token: TOKEN,
  timeoutMs: 10_000,
  initialTools: { tools: [], groups: [] },
};

let bundle: AgentBundle;
beforeAll(async () => {
  bundle = await bundleAgent();
});
afterAll(() => bundle[Symbol.asyncDispose]());

async function startAgent() {
  const agent = spawnAgent(bundle.path, '--token', TOKEN, ...PROTOCOL);
  const connection = await serveAgent(agent.duplex, options);
  return { agent, connection, [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose]() };
}

/** Reads events up to the first of `name`. */
async function eventOf(events: AsyncIterable<AgentEvent>, name: AgentEvent['case']): Promise<AgentEvent> {
  for await (const event of unclosed(events)) if (event.case === name) return event;
  throw new Error(`the events ended without ${name}`);
}

describe('a real agent process', () => {
  it('works through a run with tool calls over its inherited fd [P3] [L1] [L4]', async () => {
    await using started = await startAgent();
    const { connection } = started;
    const calls = [
      { id: 'r', name: 'read', json: '{"path":"a.ts"}' },
      { id: 'l', name: 'ls' },
      { id: 'w', name: 'write' },
      { id: 'm', name: 'load_tools', json: '{"groups":["got"]}' },
    ];
    connection.send({ case: 'process', value: processRequest() });
    const events = await serveRun(connection, [
      answered(answer('I look. ', ...calls), StopReason.TOOL_CALLS),
      answered(answer('All is well.')),
    ]);
    expect(events.map((event) => event.case)).toEqual([
      'modelRequest',
      'toolCall',
      'toolCall',
      'toolCall',
      'toolCall',
      'modelRequest',
      'complete',
    ]);
    const message = create(MessageSchema, {
      role: { case: 'assistant', value: answer('I look. ', ...calls) },
    });
    const results = calls.map(({ id, name }) => toolMessage(id, name, `result of ${id}`));
    const asked = events[5];
    if (asked?.case !== 'modelRequest') throw new Error('no second request');
    // The whole run, in call order, by reference.
    expect(asked.value).toMatchObject(new RunDigest().of([userMessage('do it'), message, ...results]));
    expect(events.at(-1)?.value).toMatchObject({ runId: 'run', end: RunEnd.COMPLETED });
  });

  it('sends and receives as many bytes in a round after 10,000 messages as after 10 [L1]', async () => {
    const bytes: number[][] = [];
    for (const rounds of [3, 3_333]) {
      await using started = await startAgent();
      const { agent, connection } = started;
      const run = Array.from({ length: rounds }, (_, at) => [
        userMessage(`question ${at}`),
        assistantMessage('so', { id: 'c', name: 'write' }),
        toolMessage('c', 'write', 'x'.repeat(200)),
      ]).flat();
      connection.send({ case: 'process', value: processRequest({ run: [...run, userMessage('go')] }) });
      await eventOf(connection.events, 'modelRequest');
      const { duplex } = agent;
      if (!(duplex instanceof Socket)) throw new Error('fd 3 is no socket');
      const before = [duplex.bytesRead, duplex.bytesWritten];
      const outcome = answered(answer({ id: 'c', name: 'write' }), StopReason.TOOL_CALLS);
      const ask = { requestId: 'run:1', ...(outcome && { outcome }) };
      connection.send({ case: 'modelAnswer', value: ask });
      await eventOf(connection.events, 'toolCall');
      const result = { callId: 'c', name: 'write', text: 'done' };
      connection.send({ case: 'toolResult', value: { result } });
      await eventOf(connection.events, 'modelRequest');
      bytes.push([duplex.bytesRead - (before[0] ?? 0), duplex.bytesWritten - (before[1] ?? 0)]);
    }
    const [short = [], long = []] = bytes;
    // The count of messages takes one byte, or two.
    expect(Math.abs((long[0] ?? 0) - (short[0] ?? 0))).toBeLessThanOrEqual(2);
    expect(long[1]).toBe(short[1]);
    expect(long[0]).toBeGreaterThan(0);
  });

  it('takes one run after the other and keeps nothing of the first [P3]', async () => {
    await using started = await startAgent();
    const { connection } = started;
    const requests: unknown[] = [];
    for (const runId of ['one', 'two']) {
      connection.send({ case: 'process', value: processRequest({ runId }) });
      const events = await serveRun(connection, []);
      requests.push(events.flatMap((event) => (event.case === 'modelRequest' ? [event.value.digest] : [])));
    }
    expect(requests[1]).toEqual(requests[0]);
  });

  it('needs no environment, no file but its own and no process, and sends nothing unasked [P2] [P6]', async () => {
    // Node's own permission model replaces the box here: a forbidden attempt gets an error, and the
    // run fails.
    const box = ['--permission', `--allow-fs-read=${bundle.path}`];
    await using agent = spawnAgent(...box, bundle.path, '--token', TOKEN, ...PROTOCOL);
    const connection = await serveAgent(agent.duplex, options);
    connection.send({ case: 'process', value: processRequest() });
    const events = await serveRun(connection, [
      answered(answer({ id: 'r', name: 'read', json: '{"path":"/etc/passwd"}' }), StopReason.TOOL_CALLS),
    ]);
    expect(events.at(-1)).toMatchObject({ case: 'complete', value: { end: RunEnd.COMPLETED } });
    await connection.close();
    expect(await agent.exit).toBe(0);
    expect([agent.stdout(), agent.stderr()]).toEqual(['', '']);
  });

  it('refuses a second run while a run goes on', async () => {
    await using started = await startAgent();
    const { connection } = started;
    connection.send({ case: 'process', value: processRequest() });
    connection.send({ case: 'process', value: processRequest({ runId: 'other' }) });
    const refused = await eventOf(connection.events, 'error');
    expect(refused.value).toMatchObject({ runId: 'other', code: 'busy' });
  });

  it('ends a cancelled run at once and is ready for the next [T9]', async () => {
    await using started = await startAgent();
    const { connection } = started;
    connection.send({ case: 'process', value: processRequest() });
    await eventOf(connection.events, 'modelRequest');
    connection.send({ case: 'cancel', value: { runId: 'run' } });
    const end = await eventOf(connection.events, 'complete');
    expect(end.value).toMatchObject({ runId: 'run', end: RunEnd.CANCELLED });
    const late = { case: 'finished' as const, value: { message: answer('too late') } };
    connection.send({ case: 'modelAnswer', value: { requestId: 'run:1', outcome: late } });
    connection.send({ case: 'process', value: processRequest({ runId: 'next' }) });
    const events = await serveRun(connection, []);
    expect(events.map((event) => event.case)).toEqual(['modelRequest', 'complete']);
  });

  it('exits with 0 on shutdown, and when the engine is gone', async () => {
    await using told = await startAgent();
    told.connection.send({ case: 'shutdown', value: {} });
    expect(await told.agent.exit).toBe(0);
    await told.connection.closed;
    await using left = await startAgent();
    await left.connection.close();
    expect(await left.agent.exit).toBe(0);
    await using cut = await startAgent();
    cut.connection.send({ case: 'process', value: processRequest() });
    await eventOf(cut.connection.events, 'modelRequest');
    cut.agent.duplex.destroy();
    expect(await cut.agent.exit).toBe(0);
    await cut.connection.closed;
    expect([told, left, cut].map(({ agent }) => agent.stderr())).toEqual(['', '', '']);
  });

  it('is refused with another token, and says why it ends [P5]', async () => {
    await using agent = spawnAgent(bundle.path, '--token', 'stale', ...PROTOCOL);
    await expect(serveAgent(agent.duplex, options)).rejects.toMatchObject({ code: 'protocol_violation' });
    expect(await agent.exit).toBe(70);
    expect(agent.stderr()).toBe('bulkhead agent: the engine closed the connection before InitialToolDefs\n');
  });

  it('waits for InitialToolDefs no longer than it may, then exits with a clear error [P4]', async () => {
    await using agent = spawnAgent(
      bundle.path,
      '--token',
      TOKEN,
      ...PROTOCOL,
      '--initial-tools-timeout-ms',
      '200',
    );
    agent.duplex.resume();
    expect(await agent.exit).toBe(70);
    expect(agent.stderr()).toBe('bulkhead agent: the engine sent no InitialToolDefs within 0.2 s\n');
  });

  it.each([
    [[]],
    [['--token', ...PROTOCOL]],
    [['--token', 't']],
    [['--token', 't', ...PROTOCOL, '--what', '1']],
    [['--token', 't', ...PROTOCOL, '--initial-tools-timeout-ms', 'x']],
  ])('exits with 64 on wrong arguments (%j)', async (args) => {
    await using agent = spawnAgent(bundle.path, ...args);
    expect(await agent.exit).toBe(64);
    expect(agent.stderr()).toMatch(/^bulkhead agent: .+\n$/);
  });

  it('is not ready in time if it never speaks [P4]', async () => {
    await using agent = spawnAgent('-e', 'setTimeout(() => {}, 600_000)');
    await expect(serveAgent(agent.duplex, { ...options, timeoutMs: 100 })).rejects.toMatchObject({
      code: 'timeout',
    });
    expect(agent.duplex.destroyed).toBe(true);
  });

  it('reports an agent that ends before it is ready', async () => {
    await using agent = spawnAgent('-e', '');
    await expect(serveAgent(agent.duplex, options)).rejects.toMatchObject({ code: 'agent_failed' });
  });

  it.each(['modelRequest', 'toolCall'] as const)(
    'killed at its %s it ends the events and the connection, nothing else [FT77]',
    async (moment) => {
      await using started = await startAgent();
      const { agent, connection } = started;
      connection.send({ case: 'process', value: processRequest() });
      for await (const event of connection.events) {
        if (event.case === 'modelRequest' && moment !== 'modelRequest') {
          const message = answer({ id: 'c', name: 'write' });
          const value = { message, stopReason: StopReason.TOOL_CALLS };
          const { requestId } = event.value;
          connection.send({
            case: 'modelAnswer',
            value: { requestId, outcome: { case: 'finished', value } },
          });
        }
        if (event.case === moment) agent.child.kill('SIGKILL');
      }
      await connection.closed;
      expect(await agent.exit).toBe('SIGKILL');
      connection.send({ case: 'cancel', value: { runId: 'run' } });
      await connection.close();
    },
  );

  it('closes the connection when it is killed while idle, even if its events are not read [FT77]', async () => {
    await using started = await startAgent();
    started.agent.child.kill('SIGKILL');
    await started.connection.closed;
  });

  it('carries a long run', async () => {
    await using started = await startAgent();
    const { connection } = started;
    const run = Array.from({ length: 20 }, () => userMessage('x'.repeat(1024 * 1024)));
    connection.send({ case: 'process', value: processRequest({ run }) });
    const [request] = await serveRun(connection, []);
    expect(request?.case === 'modelRequest' && request.value.messages).toBe(20);
  });

  it('ends a run whose call is too large to propose with context_overflow', async () => {
    await using started = await startAgent();
    const { connection } = started;
    const json = JSON.stringify('x'.repeat(17 * 1024 * 1024));
    connection.send({ case: 'process', value: processRequest() });
    const call = answered(answer({ id: 'c', name: 'write', json }), StopReason.TOOL_CALLS);
    const events = await serveRun(connection, [call]);
    expect(events.at(-1)).toMatchObject({ case: 'error', value: { runId: 'run', code: 'context_overflow' } });
  });
});

describe('the bundle', () => {
  it('is small: an agent must start at once', () => {
    // Some 5 kB of it are its attacks on its own box (FR2), 8 kB its compaction, 7 kB the letters
    // that look like others (C6), 3 kB skills.
    expect(bundle.bytes).toBeLessThan(142_000);
  });
});
