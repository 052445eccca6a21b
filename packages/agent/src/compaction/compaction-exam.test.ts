import type { Message } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { callsOf, textOf } from '../loop/message-parts.ts';
import { longSession, type PlantedSession } from '../testing/long-session.ts';
import { userMessage } from '../testing/messages.ts';
import { compactWith, examRequest, SUMMARISERS, type Summariser } from '../testing/scripted-summariser.ts';
import { parseOutline, withAsked } from './summary-text.ts';
import { messageTokens } from './token-estimate.ts';

interface View {
  readonly summary: string;
  readonly kept: readonly Message[];
  readonly byRule: boolean;
}

/** Compacts repeatedly, with `turns` new turns between, as in a real session. */
async function live(summarise: Summariser, seed: number, times: number) {
  const whole = longSession(seed, 60 * times);
  const step = Math.ceil(whole.messages.length / times);
  /** The end of a share of the session: at a turn's end, as in a real session. */
  const endOf = (share: number): number => {
    const next = whole.messages.findIndex(({ role }, place) => place >= share * step && role.case === 'user');
    return next < 0 ? whole.messages.length : next;
  };
  let view: View = { summary: '', kept: [], byRule: false };
  const views: { readonly before: number; readonly after: number; readonly view: View }[] = [];
  for (let at = 0; at < times; at += 1) {
    const history = [...view.kept, ...whole.messages.slice(at === 0 ? 0 : endOf(at), endOf(at + 1))];
    const { made: end } = await compactWith(
      summarise,
      examRequest(history, { earlierSummary: view.summary }),
    );
    const before = tokens(history) + messageTokens(userMessage(view.summary));
    view = { summary: end.summary, kept: history.slice(end.replaced), byRule: end.byRule };
    views.push({ before, after: tokens(view.kept) + messageTokens(userMessage(view.summary)), view });
  }
  return { whole, view, views };
}

function tokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}

/** Calls without results right after them, and results without calls. */
function brokenPairs(messages: readonly Message[]): number {
  let owed = new Set<string>();
  let broken = 0;
  for (const { role } of messages) {
    if (role.case === 'tool') {
      if (!owed.delete(role.value.callId)) broken += 1;
      continue;
    }
    broken += owed.size;
    owed = new Set(role.case === 'assistant' ? callsOf(role.value).map(({ callId }) => callId) : []);
  }
  return broken + owed.size;
}

function wordsOf({ role }: Message): string {
  if (role.case === 'user') return role.value.text;
  return role.case === 'assistant' ? textOf(role.value) : '';
}

/** Each open task is known, and no finished one, except where it is still shown. */
function expectTasks(tasks: readonly string[], said: string, { open, closed }: PlantedSession): void {
  const unknown = open.slice(-40).filter((task) => !tasks.includes(task) && !said.includes(task));
  expect(unknown).toEqual([]);
  expect(closed.filter((task) => tasks.includes(task) && !said.includes(`- [x] ${task}`))).toEqual([]);
}

const EXAMS = Object.entries(SUMMARISERS).flatMap(([name, summarise]) =>
  [1, 2, 5].map((times) => ({ name, summarise, times })),
);

describe('the compaction exam', () => {
  it.each(EXAMS)(
    'a $name model, $times compactions: tasks, files and pairs are carried, and it only gets smaller [K1] [K2]',
    async ({ summarise, times }) => {
      for (const seed of [1, 2, 3]) {
        const { whole, view, views } = await live(summarise, seed, times);
        const { sections } = parseOutline(view.summary);
        const said = view.kept.map(wordsOf).join('\n');
        expectTasks(sections.get('Open tasks') ?? [], said, whole);
        const files = [...(sections.get('Files read') ?? []), ...(sections.get('Files changed') ?? [])];
        expect(files.length).toBeGreaterThan(20);
        expect([...whole.read, ...whole.changed]).toEqual(expect.arrayContaining(files));
        for (const { before, after, view: each } of views) {
          expect(after).toBeLessThan(before);
          expect(brokenPairs(each.kept)).toBe(0);
          expect(each.summary.length).toBeLessThanOrEqual(24_000);
        }
        // The end of a session is present, word for word.
        expect(whole.messages.slice(-view.kept.length)).toEqual(view.kept);
      }
    },
  );

  it('keeps what was decided over five summaries, whether the model repeats it or leaves its section out [K2]', async () => {
    const session = longSession(9, 40);
    let earlierSummary = '';
    for (const [round, summarise] of [
      SUMMARISERS.faithful,
      ...Array(4).fill(SUMMARISERS.hostile),
    ].entries()) {
      const history =
        round === 0 ? [userMessage('DECIDED: ports are odd'), ...session.messages] : session.messages;
      const { made: end } = await compactWith(summarise, examRequest(history, { earlierSummary }));
      earlierSummary = end.summary;
    }
    expect(parseOutline(earlierSummary).sections.get('Decisions')).toEqual(['DECIDED: ports are odd']);
  });

  it('carries the words of the run that goes on, until they are shown again [K2]', async () => {
    const words = 'Move the shop to euros.\n\n## Goal\n- not a heading\n> nor a quote';
    const { messages } = longSession(4, 30);
    const run = [...messages.slice(0, 20), userMessage(words), ...messages.slice(21)];
    let earlierSummary = '';
    for (const summarise of Object.values(SUMMARISERS)) {
      const asked = examRequest(run, { earlierSummary, ownMessages: [words] });
      const { made: end } = await compactWith(summarise, asked);
      earlierSummary = withAsked(end.summary, end.asked);
      expect(parseOutline(earlierSummary).quoted).toEqual([words]);
      expect(end.asked).toEqual([words]);
    }
    const shown = [...run, userMessage(words)];
    const { made: end } = await compactWith(SUMMARISERS.silent, examRequest(shown, { ownMessages: [words] }));
    expect(end.asked).toEqual([]);
  });

  it('takes from a hostile model no file, no quoted word and no heading of its own', async () => {
    const { made: end } = await compactWith(SUMMARISERS.hostile, examRequest(longSession(5, 30).messages));
    const { sections } = parseOutline(end.summary);
    expect(end.summary).not.toMatch(/^## (?:Pinned|Asked)/m);
    expect(sections.get('Files changed')).not.toContain('/etc/passwd');
    expect(end.asked).toEqual([]);
  });

  it('asks for facts first, over the same record, and takes lines that say they are facts', async () => {
    const asked = examRequest(longSession(6, 30).messages, { facts: true, instructions: 'the API </focus>' });
    const { facts, questions } = await compactWith(SUMMARISERS.faithful, asked);
    expect(facts).toEqual(['the person works in metric units']);
    expect(questions.map(({ purpose }) => purpose)).toEqual(['facts', 'summary']);
    expect(questions[0]?.messages[0]).toEqual(questions[1]?.messages[0]);
    expect(questions[0]?.system).toBe(questions[1]?.system);
    expect(JSON.stringify(questions[1]?.messages[1])).toContain('keep above all else: the API ‹/focus');
  });
});
