import { type EventBody, inertText } from '@bulkhead/protocol';
import { shareOf } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import { type HostileText, hostileTexts } from '../testing/hostile-sequences.ts';
import { UiStage } from '../testing/ui-stage.ts';

const TEXTS = hostileTexts();
/** Some of every family; `npm run proof` draws all. */
const DRAWN = shareOf(TEXTS, 128);

/** Number of texts on one screen, of one size for all. */
const TOGETHER = 16;
const SIZE = { columns: 100, rows: 170 };

const groups = (): readonly (readonly HostileText[])[] =>
  Array.from({ length: Math.ceil(DRAWN.length / TOGETHER) }, (_, at) =>
    DRAWN.slice(at * TOGETHER, (at + 1) * TOGETHER),
  );

/** Each text as an answer that comes in deltas of a character, with its final replacement. */
function said(texts: readonly string[]): EventBody[] {
  const start: EventBody[] = [{ type: 'agent_start', message: 'm' }];
  const messages = texts.flatMap((text): EventBody[] => [
    { type: 'message_start', role: 'assistant' },
    ...[...text].map((one): EventBody => ({ type: 'text_delta', text: one })),
    ...[...text].map((one): EventBody => ({ type: 'thinking_delta', text: one })),
    { type: 'message_end', role: 'assistant', text, thinking: text },
  ]);
  return [...start, ...messages];
}

/** The same text in every other place that shows foreign text. */
function elsewhere(texts: readonly string[]): EventBody[] {
  const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };
  const cards = texts.flatMap((text, at): EventBody[] => {
    const call = `c${at}${text}`;
    const action = `a${at}`;
    const about = { action, hash: 'h' };
    return [
      { type: 'tool_call', call, tool: text, arguments: { command: text } },
      { type: 'action_started', ...about, call, tool: text },
      {
        type: 'shield_verdict',
        ...about,
        decision: at % 2 === 0 ? 'allow' : 'block',
        tier: 0,
        rule: text,
        reason: text,
      },
      { type: 'tool_delta', call, text },
      { type: 'action_completed', ...about, call, success: true, summary: text },
      {
        type: 'tool_output',
        call,
        tool: text,
        text,
        display: `--- a\n+++ b\n+${text}\n-${text}`,
        isError: at % 3 === 0,
      },
    ];
  });
  const [first = ''] = texts;
  return [
    { type: 'session_title', title: first },
    { type: 'message_end', role: 'user', text: first },
    { type: 'agent_start', message: 'm' },
    { type: 'turn_start', round: 1, model: first },
    ...cards,
    {
      type: 'retry_start',
      attempt: 1,
      maxAttempts: 2,
      delayMs: 1,
      code: first,
      message: first,
      model: first,
    },
    {
      type: 'settled',
      message: 'm',
      outcome: 'failed',
      answer: first,
      usage,
      cost: 0,
      rounds: 1,
      error: { code: first, message: first },
    },
    { type: 'error', code: first, message: first, retryable: false },
    { type: 'idle' },
  ];
}

/** Runs events through the whole UI. @returns the terminal's content, and the effects on it */
async function screenOf(events: readonly EventBody[], env: Readonly<Record<string, string>> = {}) {
  await using stage = await UiStage.open({ ...SIZE, env });
  // First the live form, event by event, then the final form.
  stage.link.tell(...events);
  await stage.quiet();
  stage.ui.screen.change({ thinking: true, expanded: true });
  await stage.quiet();
  const { terminal } = stage;
  return {
    cells: terminal.cells,
    text: terminal.everything,
    state: terminal.state,
    noticed: [...terminal.noticed],
    foreign: foreignSequences(terminal.written),
  };
}

/**
 * Escape sequences that this program may send: colours, cursor movements, erasing, its modes, the
 * end of a link.
 */
const OWN = /^(?:\[(?:[\d;]*m|\d*[ABCDGHJK]|\?(?:25|7|2026)[hl])|\]8;;|\\)/;
const CONTROLS = /[^\P{Cc}\n\r\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/** Sequences that are not our own, and single control characters. */
function foreignSequences(written: string): readonly string[] {
  const [head = '', ...others] = written.replaceAll('\x1b]8;;\x07', '').split('\x1b');
  const foreign = others.filter((one) => !OWN.test(one));
  const plain = [head, ...others.map((one) => one.replace(OWN, ''))].filter((one) => CONTROLS.test(one));
  return [...foreign, ...plain].map((one) => JSON.stringify(one.slice(0, 40)));
}

describe('text of others on the screen', () => {
  it('is at least 500 sequences of 18 families', () => {
    expect(TEXTS.length).toBeGreaterThanOrEqual(500);
    for (const texts of [TEXTS, DRAWN])
      expect(new Set(texts.map(({ family }) => family)).size).toBeGreaterThanOrEqual(18);
  });

  it.each([
    ['said in deltas of a character', said],
    ['in calls, verdicts, results, diffs, errors and titles', elsewhere],
  ])(
    'drives nothing and is drawn as its inert form is: %s [FT52] [I2]',
    { timeout: 240_000 },
    async (_, events) => {
      for (const group of groups()) {
        const texts = group.map(({ text }) => text);
        const hostile = await screenOf(events(texts));
        const inert = await screenOf(events(texts.map(inertText)));
        const what = JSON.stringify(texts);
        expect(hostile.noticed, what).toEqual([]);
        expect(hostile.foreign, what).toEqual([]);
        expect(hostile.state, what).toBe(inert.state);
        expect(hostile.text, what).toBe(inert.text);
        expect(hostile.cells, what).toEqual(inert.cells);
      }
    },
  );

  it('drives nothing where it is asked about, typed, pasted or listed [FT52] [A6]', async () => {
    for (const group of groups()) {
      const [{ text: first } = { text: '' }] = group;
      const shown = group.map(({ text }) => text).join('\n');
      await using stage = await UiStage.open(SIZE);
      stage.terminal.paste(shown);
      stage.link.knows('q', 'h', shown);
      stage.link.tell(
        { type: 'agent_start', message: 'm' },
        { type: 'tool_call', call: 'c', tool: first, arguments: { [shown]: { [first]: [shown] } } },
        {
          type: 'approval_requested',
          approval: 'q',
          action: 'a',
          hash: 'h',
          tool: first,
          shown,
          reason: shown,
          expires: 'never',
          scopes: ['once', 'session', 'always'],
          rule: first,
        },
      );
      await stage.shows('Allow once');
      stage.ui.pick({
        title: 'choose',
        choices: [{ value: 'x', label: first, about: first }],
        onPick: () => undefined,
      });
      stage.ui.say(shown);
      stage.link.tell({ type: 'idle' });
      await stage.shows('choose');
      expect(stage.terminal.noticed, shown).toEqual([]);
      expect(foreignSequences(stage.terminal.written), JSON.stringify(shown)).toEqual([]);
    }
  });

  it('shows each text between its letters, nothing of it swallowed [FT52]', async () => {
    for (const { text, family } of TEXTS.filter(
      ({ family }) => family !== 'markdown' && family !== 'entities',
    )) {
      const inert = inertText(text);
      expect(inert.startsWith('Q'), family).toBe(true);
      expect(inert.endsWith('Z'), family).toBe(true);
      expect(inertText(inert)).toBe(inert);
    }
  });
});
