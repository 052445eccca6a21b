import { setTimeout as sleep } from 'node:timers/promises';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { RunEnd } from '@bulkhead/protocol/agent';
import { StopReason } from '@bulkhead/protocol/chat';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentEvent } from './connection/agent-connection.ts';
import { type ServeAgentOptions, serveAgent } from './connection.ts';
import { type AgentBundle, bundleAgent } from './testing/agent-bundle.ts';
import {
  answer,
  asShown,
  deltasOf,
  ownWords,
  processRequest,
  toolMessage,
  userMessage,
} from './testing/messages.ts';
import { serveRun, tokensOf, unclosed } from './testing/scripted-engine.ts';
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

/** Reads events until one of `name` came. */
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
      deltasOf(answer('I look. ', ...calls), StopReason.TOOL_CALLS),
      [{ case: 'thinking', value: 'hm' }, ...deltasOf(answer('All is well.'))],
    ]);
    expect(events.map((event) => event.case)).toEqual([
      'modelRequest',
      'token',
      'toolCall',
      'toolCall',
      'toolCall',
      'toolDefsRequest',
      'modelRequest',
      'thinking',
      'token',
      'complete',
    ]);
    expect(tokensOf(events)).toBe('I look. All is well.');
    const second = events[6];
    if (second?.case !== 'modelRequest') throw new Error('no second request');
    const results = [
      toolMessage('r', 'read', 'result of r'),
      toolMessage('l', 'ls', 'result of l'),
      toolMessage('w', 'write', 'result of w'),
      ownWords('m', 'load_tools', 'Unknown groups: got. Known groups: git.', true),
    ];
    expect(second.value.messages.slice(2)).toEqual(asShown(results));
    const last = events.at(-1);
    if (last?.case !== 'complete') throw new Error('no end');
    expect(last.value).toMatchObject({ runId: 'run', content: 'All is well.', end: RunEnd.COMPLETED });
    expect(last.value.thoughts.map(({ summary }) => summary)).toEqual([
      'I look.',
      'read -> 11 bytes of TypeScript source',
      'ls -> 11 bytes of listing',
      'write -> 11 bytes of text',
      'load_tools -> failed: Unknown groups: got. Known groups: git.',
    ]);
  });

  it('takes one run after the other and keeps nothing of the first [P3]', async () => {
    await using started = await startAgent();
    const { connection } = started;
    const requests: unknown[] = [];
    for (const runId of ['one', 'two']) {
      connection.send({ case: 'process', value: processRequest({ runId }) });
      const events = await serveRun(connection, []);
      requests.push(events.flatMap((event) => (event.case === 'modelRequest' ? [event.value.messages] : [])));
    }
    expect(requests[1]).toEqual(requests[0]);
  });

  it('needs no environment, no file but its own and no process, and says nothing by itself [P2] [P6]', async () => {
    // Node's own permission model stands for the box here: whoever tries gets an error, and the run fails.
    const box = ['--permission', `--allow-fs-read=${bundle.path}`];
    await using agent = spawnAgent(...box, bundle.path, '--token', TOKEN, ...PROTOCOL);
    const connection = await serveAgent(agent.duplex, options);
    connection.send({ case: 'process', value: processRequest() });
    const events = await serveRun(connection, [
      deltasOf(answer({ id: 'r', name: 'read', json: '{"path":"/etc/passwd"}' }), StopReason.TOOL_CALLS),
    ]);
    expect(events.at(-1)).toMatchObject({ case: 'complete', value: { content: 'done' } });
    await connection.close();
    expect(await agent.exit).toBe(0);
    expect([agent.stdout(), agent.stderr()]).toEqual(['', '']);
  });

  it('refuses a second run and a compaction while a run goes on', async () => {
    await using started = await startAgent();
    const { connection } = started;
    connection.send({ case: 'process', value: processRequest() });
    connection.send({ case: 'process', value: processRequest({ runId: 'other' }) });
    connection.send({ case: 'compact', value: {} });
    const errors: unknown[] = [];
    for await (const event of unclosed(connection.events)) {
      if (event.case === 'error') errors.push([event.value.runId, event.value.code]);
      if (errors.length === 2) break;
    }
    expect(errors).toEqual([
      ['other', 'busy'],
      ['', 'busy'],
    ]);
  });

  it('ends a cancelled run at once and is ready for the next [T9]', async () => {
    await using started = await startAgent();
    const { connection } = started;
    connection.send({ case: 'process', value: processRequest() });
    await eventOf(connection.events, 'modelRequest');
    connection.sendModelDelta('run:1', 'text', 'half');
    await eventOf(connection.events, 'token');
    connection.send({ case: 'cancel', value: { runId: 'run' } });
    const end = await eventOf(connection.events, 'complete');
    expect(end.value).toMatchObject({ runId: 'run', content: 'half', end: RunEnd.CANCELLED });
    connection.sendModelDelta('run:1', 'text', 'too late');
    connection.send({ case: 'process', value: processRequest({ runId: 'next' }) });
    expect(tokensOf(await serveRun(connection, []))).toBe('done');
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
    await using agent = spawnAgent('-e', 'setTimeout(() => {}, 60_000)');
    await expect(serveAgent(agent.duplex, { ...options, timeoutMs: 100 })).rejects.toMatchObject({
      code: 'timeout',
    });
    expect(agent.duplex.destroyed).toBe(true);
  });

  it('reports an agent that ends before it is ready', async () => {
    await using agent = spawnAgent('-e', '');
    await expect(serveAgent(agent.duplex, options)).rejects.toMatchObject({ code: 'agent_failed' });
  });

  it.each(['modelRequest', 'token', 'toolCall'] as const)(
    'killed at its %s it ends the events and the connection, nothing else [FT77]',
    async (moment) => {
      await using started = await startAgent();
      const { agent, connection } = started;
      connection.send({ case: 'process', value: processRequest() });
      for await (const event of connection.events) {
        if (event.case === 'modelRequest' && moment !== 'modelRequest') {
          connection.sendModelDelta(event.value.requestId, 'text', 'x');
          const message = answer({ id: 'c', name: 'write' });
          const value = { message, stopReason: StopReason.TOOL_CALLS };
          const { requestId } = event.value;
          connection.send({ case: 'modelDelta', value: { requestId, delta: { case: 'finished', value } } });
        }
        if (event.case === moment) agent.child.kill('SIGKILL');
      }
      await connection.closed;
      expect(await agent.exit).toBe('SIGKILL');
      connection.send({ case: 'cancel', value: { runId: 'run' } });
      connection.sendModelDelta('run:1', 'text', 'x');
      await connection.close();
    },
  );

  it('killed while idle it closes the connection, though nobody reads its events [FT77]', async () => {
    await using started = await startAgent();
    started.agent.child.kill('SIGKILL');
    await started.connection.closed;
  });

  it('carries a long history both ways', async () => {
    await using started = await startAgent();
    const { connection } = started;
    const history = Array.from({ length: 200 }, (_, at) => toolMessage(`c${at}`, 'read', 'x'.repeat(20_000)));
    connection.send({ case: 'process', value: processRequest({ history }) });
    const [request] = await serveRun(connection, []);
    expect(request?.case === 'modelRequest' && request.value.messages.length).toBe(201);
  });

  it('ends a run that has grown too large to ask for with context_overflow', async () => {
    await using started = await startAgent();
    const { connection } = started;
    // A person's words: results of tools are never shown in such sizes.
    const history = Array.from({ length: 17 }, () => userMessage('x'.repeat(1024 * 1024)));
    connection.send({ case: 'process', value: processRequest({ history }) });
    const events = await serveRun(connection, []);
    expect(events).toMatchObject([{ case: 'error', value: { runId: 'run', code: 'context_overflow' } }]);
  });

  it('gathers deltas of one tick into one message, in order', async () => {
    await using started = await startAgent();
    const { connection } = started;
    connection.send({ case: 'process', value: processRequest() });
    await eventOf(connection.events, 'modelRequest');
    for (let at = 0; at < 1_000; at += 1) connection.sendModelDelta('run:1', 'text', `${at},`);
    connection.sendModelDelta('run:1', 'thinking', 'hm');
    await sleep(20);
    const finished = { message: answer('x'), stopReason: StopReason.STOP };
    connection.send({
      case: 'modelDelta',
      value: { requestId: 'run:1', delta: { case: 'finished', value: finished } },
    });
    const events = await serveRun(connection, []);
    expect(tokensOf(events)).toBe(Array.from({ length: 1_000 }, (_, at) => `${at},`).join(''));
    expect(events.length).toBeLessThan(10);
    expect(events.map((event) => event.case)).toContain('thinking');
  });
});

describe('the bundle', () => {
  it('is small: an agent must start at once', () => {
    // Some 5 kB of it are its attacks on its own box (FR2), 8 kB its compaction, 7 kB the letters that look like others (C6), 3 kB skills.
    expect(bundle.bytes).toBeLessThan(142_000);
  });
});
