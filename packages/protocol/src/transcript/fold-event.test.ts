import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventBody, SessionEvent } from '../events.ts';
import { foldEvent, missedSome } from './fold-event.ts';
import { itemAt, itemsOf } from './item-list.ts';
import type { ToolItem, TranscriptItem } from './items.ts';
import { spentSoFar } from './spent.ts';
import { sessionStory } from './testing/session-story.ts';
import { emptyTranscript, isBusy, type TranscriptView } from './view.ts';

const fold = (events: readonly SessionEvent[], from = emptyTranscript()): TranscriptView =>
  events.reduce(foldEvent, from);

/** Events of one run of one session. */
function told(...bodies: readonly EventBody[]): TranscriptView {
  let seq = 0;
  let view = emptyTranscript();
  for (const body of bodies) {
    const ephemeral = body.type.endsWith('_delta') || body.type === 'gap';
    const place = { time: 't', session: 's', turn: 'r' };
    if (ephemeral) view = foldEvent(view, { ...place, ...body, seq: seq + 1, ephemeral });
    else view = foldEvent(view, { ...place, ...body, seq: ++seq });
  }
  return view;
}

const items = (view: TranscriptView): readonly TranscriptItem[] => [...itemsOf(view.items)];

function card(view: TranscriptView): ToolItem {
  const found = items(view).find((item) => item.kind === 'tool');
  if (found === undefined) throw new Error('no card');
  return found;
}

const ASSISTANT = { type: 'message_start', role: 'assistant' } as const;
const CALL = { type: 'tool_call', call: 'c', tool: 'bash', arguments: { command: 'ls' } } as const;
const ACTION = { type: 'action_started', action: 'a', call: 'c', tool: 'bash', hash: 'h' } as const;
const verdict = (decision: 'allow' | 'block' | 'escalate') =>
  ({ type: 'shield_verdict', action: 'a', hash: 'h', decision, tier: 1, rule: 'x', reason: 'y' }) as const;
const QUESTION = {
  type: 'approval_requested',
  approval: 'q',
  action: 'a',
  hash: 'h',
  tool: 'bash',
  shown: 'ls',
  reason: 'y',
  expires: 't',
} as const;

describe('foldEvent', () => {
  it('gives the same view however often the connection is cut and what came before is sent again [T3]', () => {
    const cuts = fc.array(fc.record({ heard: fc.nat(30), again: fc.nat(12), deltasLost: fc.boolean() }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(sessionStory, cuts, (events, breaks) => {
        let view = emptyTranscript();
        let at = 0;
        for (const { heard, again, deltasLost } of breaks) {
          view = fold(events.slice(at, at + heard), view);
          const resume = Math.max(0, view.seq - again);
          // Deltas are lost during a gap; durable events resume at the client's place.
          at = events.findIndex(({ seq, ephemeral }) => seq > resume && !(deltasLost && ephemeral === true));
          if (at < 0) at = events.length;
          view = missedSome(view);
        }
        expect(fold(events.slice(at), view)).toEqual(fold(events));
      }),
      { numRuns: 300 },
    );
  });

  it('needs no delta for what is finished, and leaves nothing open or waiting behind a session at rest', () => {
    fc.assert(
      fc.property(sessionStory, (events) => {
        const whole = fold(events);
        expect(fold(events.filter(({ ephemeral }) => ephemeral !== true))).toEqual(whole);
        expect(isBusy(whole)).toBe(false);
        expect(whole.approvals).toEqual([]);
        expect(whole.open.calls.size + whole.open.actions.size).toBe(0);
        const unfinished = items(whole).filter((item) => item.kind === 'message' && item.streaming);
        expect(unfinished).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps a view unchanged when another is made of it, and gives each item a permanent place', () => {
    fc.assert(
      fc.property(sessionStory, (events) => {
        let view = emptyTranscript();
        for (const event of events) {
          const before = JSON.stringify([...itemsOf(view.items)]);
          const next = foldEvent(view, event);
          expect(JSON.stringify([...itemsOf(view.items)])).toBe(before);
          view = next;
        }
        expect(items(view).map(({ index }) => index)).toEqual(items(view).map((_, at) => at));
      }),
      { numRuns: 50 },
    );
  });

  it('touches one page of 10,000 messages for a delta', () => {
    let view = emptyTranscript();
    const place = { time: 't', session: 's', turn: 'r' };
    for (let seq = 1; seq <= 10_000; seq += 1) {
      view = foldEvent(view, { seq, ...place, type: 'message_end', role: 'user', text: 'x' });
    }
    view = foldEvent(view, { seq: 10_001, ...place, ...ASSISTANT });
    const next = foldEvent(view, { seq: 10_002, ephemeral: true, ...place, type: 'text_delta', text: 'a' });
    expect(next.items.pages).toBe(view.items.pages);
    expect(next.items.tail.filter((item, at) => item !== view.items.tail[at])).toHaveLength(1);
    expect(itemAt(next.items, 10_000)).toMatchObject({ text: 'a', streaming: true });
  });

  it('replaces what was streamed by the finished message, and says where something was missed', () => {
    const half = told(ASSISTANT, { type: 'text_delta', text: 'he' }, { type: 'gap', after: 1 });
    expect(itemAt(half.items, 0)).toMatchObject({ text: 'he', streaming: true, missed: true });
    const whole = told(
      ASSISTANT,
      { type: 'text_delta', text: 'he' },
      { type: 'message_end', role: 'assistant', entry: 'e', text: 'hello', thinking: 'hm' },
    );
    expect(itemAt(half.items, 0)).not.toHaveProperty('entry');
    expect(itemAt(whole.items, 0)).toMatchObject({
      entry: 'e',
      text: 'hello',
      thinking: 'hm',
      streaming: false,
      missed: false,
    });
  });

  it('takes no delta for an answer that ended, and none that came late', () => {
    const ended = told(ASSISTANT, { type: 'message_end', role: 'assistant', text: 'a' });
    const place = { time: 't', session: 's', turn: 'r', ephemeral: true } as const;
    expect(foldEvent(ended, { ...place, seq: 2, type: 'text_delta', text: 'late' })).toBe(ended);
    expect(items(foldEvent(ended, { ...place, seq: 3, type: 'text_delta', text: 'x' }))).toEqual(
      items(ended),
    );
  });

  it('tells of a card where it stands, who judged it and why, and what came of it [A6]', () => {
    expect(card(told(CALL)).state).toBe('proposed');
    expect(card(told(CALL, ACTION, verdict('allow'))).state).toBe('running');
    const asked = told(CALL, ACTION, verdict('escalate'), QUESTION);
    expect(card(asked)).toMatchObject({ state: 'asking', question: { approval: 'q', shown: 'ls' } });
    expect(asked.approvals).toMatchObject([{ approval: 'q', hash: 'h', run: 'r' }]);
    const decided = {
      type: 'approval_decided',
      approval: 'q',
      action: 'a',
      hash: 'h',
      by: 'person',
    } as const;
    const denied = told(
      CALL,
      ACTION,
      verdict('escalate'),
      QUESTION,
      { ...decided, decision: 'deny' },
      {
        type: 'tool_output',
        call: 'c',
        tool: 'bash',
        text: 'denied',
        isError: true,
      },
    );
    expect(denied.approvals).toEqual([]);
    expect(card(denied)).toMatchObject({
      state: 'denied',
      action: 'a',
      verdicts: [{ decision: 'escalate', tier: 1, rule: 'x', reason: 'y' }],
      decided: { by: 'person', decision: 'deny' },
      result: { isError: true },
    });
  });

  it('shows what a tool prints until there is a result, and only the end of very much', () => {
    const printing = told(
      CALL,
      ACTION,
      { type: 'tool_delta', call: 'c', text: 'one ' },
      {
        type: 'tool_delta',
        call: 'c',
        text: 'two',
      },
    );
    expect(card(printing)).toMatchObject({ output: 'one two', outputCut: false });
    const much = Array.from(
      { length: 100 },
      (): EventBody => ({ type: 'tool_delta', call: 'c', text: 'x'.repeat(1_000) }),
    );
    const cut = card(told(CALL, ACTION, ...much));
    expect(cut.outputCut).toBe(true);
    expect(cut.output.length).toBeLessThanOrEqual(65_536);
  });

  it('counts what was spent once, by the end of a run instead of by its answers', () => {
    const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0 };
    const bodies: EventBody[] = [
      { type: 'agent_start', message: 'm' },
      ASSISTANT,
      { type: 'message_end', role: 'assistant', text: 'a', usage, cost: 1 },
    ];
    expect(spentSoFar(told(...bodies))).toMatchObject({ cost: 1, inputTokens: 10 });
    const more = { ...usage, inputTokens: 30 };
    bodies.push({
      type: 'settled',
      message: 'm',
      outcome: 'completed',
      answer: 'a',
      usage: more,
      cost: 3,
      rounds: 1,
    });
    expect(spentSoFar(told(...bodies))).toMatchObject({ cost: 3, inputTokens: 30, unpriced: false });
  });

  it('asks nothing any more once the run is over that asked', () => {
    const begun: EventBody[] = [
      { type: 'agent_start', message: 'm' },
      CALL,
      ACTION,
      verdict('escalate'),
      QUESTION,
    ];
    expect(told(...begun).approvals).toHaveLength(1);
    expect(told(...begun, { type: 'agent_end', message: 'm' }).approvals).toEqual([]);
  });

  it('shows an error of a run at its end only, and an error outside of runs on its own', () => {
    const error = { type: 'error', code: 'internal', message: 'no', retryable: false } as const;
    expect(items(told({ type: 'agent_start', message: 'm' }, error))).toEqual([]);
    expect(items(told(error))).toMatchObject([{ kind: 'error', code: 'internal', message: 'no' }]);
  });
});
