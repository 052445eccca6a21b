import type { DurableEventBody, EphemeralEventBody, SessionEvent } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { apiErrorBody } from './api-error.ts';
import { RunFold } from './run-fold.ts';

const usage = { inputTokens: 10, outputTokens: 2, cachedInputTokens: 1, reasoningTokens: 1 };

/** Folds a run of message `m`, event by event. */
function told(isAgain = false) {
  let seq = 0;
  const fold = new RunFold({ messageId: 'm', turn: undefined, seq: 0, waiting: [], isAgain });
  const take = (body: DurableEventBody | EphemeralEventBody, turn = 't'): string => {
    const ephemeral = body.type.endsWith('_delta') || body.type === 'gap';
    if (!ephemeral) seq += 1;
    const event = { seq, time: '', session: 's', turn, ...(ephemeral ? { ephemeral } : {}), ...body };
    return fold.take(event as SessionEvent);
  };
  take({ type: 'agent_start', message: 'm' });
  const round = (text: string, ...deltas: readonly string[]): string =>
    deltas.map((delta) => take({ type: 'text_delta', text: delta })).join('') +
    take({ type: 'message_end', role: 'assistant', text, usage, stopReason: 'stop' });
  const end = (fields: Partial<Extract<DurableEventBody, { type: 'settled' }>> = {}, turn = 't') =>
    take(
      {
        type: 'settled',
        message: 'm',
        outcome: 'completed',
        answer: '',
        usage,
        cost: 0,
        rounds: 1,
        ...fields,
      },
      turn,
    );
  const call = (action: string) =>
    take({
      type: 'client_call',
      action,
      call: `c-${action}`,
      name: 'f',
      arguments: { a: 1 },
      expires: '2030-01-01T00:00:00Z',
    });
  const start = (action: string) =>
    take({ type: 'action_started', action, call: `c-${action}`, tool: 'x', hash: 'h' });
  const done = (action: string) =>
    take({ type: 'action_completed', action, call: `c-${action}`, hash: 'h', success: true, summary: '' });
  return { fold, take, round, end, call, start, done };
}

describe('the text of a run', () => {
  it('is that of all its rounds, each piece once [I4]', () => {
    const { round, end, fold } = told();
    expect(round('Let me look.', 'Let me ', 'look.') + round('') + round('Done.', 'Done')).toBe(
      'Let me look.\n\nDone.',
    );
    expect(fold.usage).toEqual({ input: 30, output: 6, cached: 3, reasoning: 3 });
    end();
    expect(fold.finish).toBe('stop');
  });

  it('is whole after a gap [I4]', () => {
    const { take, fold } = told();
    const sent = [
      take({ type: 'text_delta', text: 'a' }),
      take({ type: 'gap', after: 1 }),
      take({ type: 'text_delta', text: 'c' }),
      take({ type: 'message_end', role: 'assistant', text: 'abc', usage, stopReason: 'length' }),
    ];
    expect(sent.join('')).toBe('abc');
    expect(fold.usage.input).toBe(10);
  });

  it('says so where it broke off and begins again [I4]', () => {
    const { take, round } = told();
    const first = take({ type: 'text_delta', text: 'half' });
    const cut = take({ type: 'message_end', role: 'assistant', text: '', stopReason: 'error' });
    expect(first + cut + round('whole')).toBe('half\n\n[The answer broke off and begins again.]\n\nwhole');
  });

  it('comes round by round where it is read again: its deltas may begin in the middle of one [I4]', () => {
    const { take, round, end } = told(true);
    expect(round('Let me look.') + take({ type: 'text_delta', text: 'ddle.' })).toBe('Let me look.');
    expect(round('In the middle.', 'dle.')).toBe('\n\nIn the middle.');
    end();
  });

  it('is not that of other runs, nor its end theirs [I4]', () => {
    const { take, end, fold } = told();
    expect(take({ type: 'text_delta', text: 'other' }, 'u')).toBe('');
    end({ message: 'n', outcome: 'failed' }, 'u');
    end({ message: 'n', outcome: 'merged' });
    expect(fold.finish).toBeUndefined();
  });

  it('is that of the run which the message joined [I4]', () => {
    const fold = new RunFold({ messageId: 'm', turn: undefined, seq: 3, waiting: [], isAgain: false });
    const of = (body: DurableEventBody) => fold.take({ seq: 4, time: '', session: 's', turn: 't', ...body });
    of({ type: 'message_end', role: 'user', input: 'm', text: 'hi' });
    const settled = { type: 'settled', answer: '', usage, cost: 0, rounds: 0 } as const;
    of({ ...settled, message: 'm', outcome: 'merged' });
    expect(fold.finish).toBeUndefined();
    expect(of({ type: 'message_end', role: 'assistant', text: 'both', stopReason: 'stop' })).toBe('both');
    of({ ...settled, message: 'first', outcome: 'completed' });
    expect(fold.finish).toBe('stop');
  });
});

describe('the calls of a run', () => {
  it('arrive when nothing else of the run is in progress [I4]', () => {
    const { start, call, done, fold } = told();
    start('a');
    call('a');
    start('b');
    expect(fold.waiting).toEqual([]);
    done('b');
    expect(fold.waiting).toMatchObject([{ id: 'call_a', call: 'c-a', name: 'f', argumentsJson: '{"a":1}' }]);
    start('c');
    call('c');
    expect(fold.waiting.map(({ id }) => id)).toEqual(['call_a', 'call_c']);
    done('a');
    done('c');
    expect(fold.waiting).toEqual([]);
  });
});

describe('the end of a run', () => {
  it.each([
    [{ outcome: 'blocked' }, 'stop'],
    [{ outcome: 'limit' }, 'length'],
  ] as const)('is an answer: %j [I4]', (fields, finish) => {
    const { end, fold } = told();
    end(fields);
    expect(fold.finish).toBe(finish);
  });

  it.each([
    ['failed', 'rate_limit', 429, 'rate_limit_error', 'rate_limit_exceeded'],
    ['failed', 'context_overflow', 400, 'invalid_request_error', 'context_length_exceeded'],
    ['failed', 'model_not_found', 404, 'invalid_request_error', 'model_not_found'],
    ['failed', 'usage', 404, 'invalid_request_error', 'model_not_found'],
    ['failed', 'auth', 502, 'server_error', 'provider_auth'],
    ['failed', 'overloaded', 503, 'server_error', 'overloaded'],
    ['failed', 'agent_failed', 500, 'server_error', 'agent_failed'],
    ['limit', 'spend_limit', 429, 'rate_limit_error', 'insufficient_quota'],
    ['aborted', '', 499, 'invalid_request_error', 'cancelled'],
  ] as const)('%s by %s is an error of status %i [I4]', (outcome, code, status, type, apiCode) => {
    const { end } = told();
    const error = code === '' ? {} : { error: { code, message: 'what went wrong' } };
    const thrown = (() => {
      try {
        return end({ outcome, ...error });
      } catch (caught) {
        return caught;
      }
    })();
    expect(thrown).toMatchObject({ details: { status, apiCode } });
    expect(apiErrorBody(thrown).error).toMatchObject({ type, code: apiCode });
  });
});
