import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { StopReason } from '@bulkhead/protocol/chat';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentConnection, AgentEvent } from './connection/agent-connection.ts';
import { serveAgent } from './connection.ts';
import { type AgentBundle, bundleAgent } from './testing/agent-bundle.ts';
import { answer, processRequest, type ScriptPart } from './testing/messages.ts';
import { spawnAgent } from './testing/spawn-agent.ts';

let bundle: AgentBundle;
beforeAll(async () => {
  bundle = await bundleAgent();
});
afterAll(() => bundle[Symbol.asyncDispose]());

/** An agent at the other end of a real socket, and the engine's half of a conversation with it. */
class Stage {
  readonly #connection: AgentConnection;
  readonly #events: AsyncIterator<AgentEvent>;

  constructor(connection: AgentConnection) {
    this.#connection = connection;
    this.#events = connection.events[Symbol.asyncIterator]();
  }

  start(runId: string): void {
    this.#connection.send({ case: 'process', value: processRequest({ runId }) });
  }

  steer(text: string): void {
    this.#connection.send({ case: 'steer', value: { messageId: text, message: { text } } });
  }

  /** The next event; fails if it is a different one. */
  async next<Name extends AgentEvent['case']>(name: Name): Promise<Extract<AgentEvent, { case: Name }>> {
    const { done, value } = await this.#events.next();
    if (done === true) throw new Error(`the events ended before ${name}`);
    if (isNamed(value, name)) return value;
    throw new Error(`${value.case} instead of ${name}`);
  }

  /** Has the model answer its next request. @returns the number of messages the agent knows */
  async model(...parts: readonly ScriptPart[]): Promise<number> {
    const { value } = await this.next('modelRequest');
    const message = answer(...parts);
    const stopReason = parts.every((part) => typeof part === 'string')
      ? StopReason.STOP
      : StopReason.TOOL_CALLS;
    const outcome = { case: 'finished', value: { message, stopReason } } as const;
    this.#connection.send({ case: 'modelAnswer', value: { requestId: value.requestId, outcome } });
    return value.messages;
  }

  /** Answers the next call. */
  async result(terminate = false): Promise<void> {
    const { value } = await this.next('toolCall');
    const { callId = '', name = '' } = value.call ?? {};
    this.#connection.send({ case: 'toolResult', value: { result: { callId, name, text: 'ok' }, terminate } });
  }
}

function isNamed<Name extends AgentEvent['case']>(
  event: AgentEvent,
  name: Name,
): event is Extract<AgentEvent, { case: Name }> {
  return event.case === name;
}

const call = (id: string) => ({ id, name: 'write' });

describe('steering a real agent', () => {
  it('puts what was said before a batch was done after it, and what came later after the next [L8]', async () => {
    await using agent = spawnAgent(bundle.path, '--token', 't', '--protocol', String(PROTOCOL_VERSION));
    const connection = await serveAgent(agent.duplex, { token: 't', timeoutMs: 10_000, initialTools: {} });
    const stage = new Stage(connection);
    stage.start('one');
    expect(await stage.model(call('a'), call('b'))).toBe(1);
    stage.steer('first');
    await stage.result(true);
    stage.steer('second');
    await stage.result(true);
    stage.steer('later');
    // The message, its answer, two results, first and second.
    expect(await stage.model(call('c'))).toBe(6);
    await stage.result();
    // Another answer, whose result comes later.
    expect(await stage.model('done')).toBe(9);
    expect((await stage.next('complete')).value).toMatchObject({ runId: 'one' });
  });

  it('is ignored without a word where no step follows, or no run is on: the engine keeps it [L8]', async () => {
    await using agent = spawnAgent(bundle.path, '--token', 't', '--protocol', String(PROTOCOL_VERSION));
    const connection = await serveAgent(agent.duplex, { token: 't', timeoutMs: 10_000, initialTools: {} });
    const stage = new Stage(connection);
    stage.steer('before');
    stage.start('one');
    stage.steer('during the last answer');
    expect(await stage.model('done')).toBe(1);
    await stage.next('complete');
    stage.steer('after');
    stage.start('two');
    expect(await stage.model(call('a'))).toBe(1);
    await stage.result();
    expect(await stage.model('done')).toBe(3);
    expect((await stage.next('complete')).value).toMatchObject({ runId: 'two' });
    await connection.close();
    expect(await agent.exit).toBe(0);
    expect(agent.stderr()).toBe('');
  });
});
