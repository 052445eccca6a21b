import type { EventBody, SessionEvent } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WaitingNotice } from './waiting-notice.ts';

const event = (body: EventBody): SessionEvent => ({ seq: 1, time: '', session: 's', turn: 't', ...body });
const said: string[] = [];
let notice: WaitingNotice;

beforeEach(() => {
  vi.useFakeTimers();
  said.length = 0;
  notice = new WaitingNotice((line) => said.push(line));
});
afterEach(() => {
  notice[Symbol.dispose]();
  vi.useRealTimers();
});

describe('WaitingNotice', () => {
  it('names the model after two seconds of silence, and again every ten', () => {
    notice.note(event({ type: 'turn_start', round: 1, model: 'p/m' }));
    vi.advanceTimersByTime(1_999);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(10_000);
    expect(said).toEqual([
      '… waiting for p/m, 2 s (Ctrl-C cancels)',
      '… waiting for p/m, 12 s (Ctrl-C cancels)',
    ]);
  });

  it('starts anew with every sign of life, and names the tool that runs', () => {
    notice.note(event({ type: 'turn_start', round: 1, model: 'p/m' }));
    vi.advanceTimersByTime(1_500);
    notice.note(event({ type: 'text_delta', text: 'x' }));
    vi.advanceTimersByTime(1_500);
    notice.note(event({ type: 'tool_call', call: 'c', tool: 'bash', arguments: {} }));
    vi.advanceTimersByTime(2_000);
    expect(said).toEqual(['… waiting for bash, 2 s (Ctrl-C cancels)']);
  });

  it('goes on when a message joined the run, and ends with the run', () => {
    const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };
    const end = { type: 'settled', message: 'm', answer: '', usage, cost: null, rounds: 1 } as const;
    notice.note(event({ type: 'turn_start', round: 1, model: 'p/m' }));
    notice.note(event({ ...end, outcome: 'merged' }));
    vi.advanceTimersByTime(2_000);
    expect(said).toHaveLength(1);
    notice.note(event({ ...end, outcome: 'completed' }));
    vi.advanceTimersByTime(60_000);
    expect(said).toHaveLength(1);
  });

  it('is silent while a person is asked, and when all is over', () => {
    notice.note(event({ type: 'turn_start', round: 1, model: 'p/m' }));
    notice.note(
      event({
        type: 'approval_requested',
        approval: 'a',
        action: 'x',
        hash: 'h',
        tool: 'bash',
        shown: '',
        reason: '',
        expires: '',
      }),
    );
    vi.advanceTimersByTime(60_000);
    expect(said).toEqual([]);
  });
});
