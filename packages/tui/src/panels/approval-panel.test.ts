import { ApprovalAnswer } from '@bulkhead/protocol/client';
import { expect, it } from 'vitest';
import { createLook } from '../look/look.ts';
import { ApprovalPanel } from './approval-panel.ts';

/** A panel on a clock that only the test moves, asked about a text that the event showed cut. */
function openPanel(shown = 'all') {
  let now = 0;
  let draft = '';
  const due = new Map<object, { readonly at: number; readonly run: () => void }>();
  const answers: ApprovalAnswer[] = [];
  const panel = new ApprovalPanel({
    question: {
      run: 'r',
      approval: 'q',
      action: 'a',
      hash: 'h',
      tool: 'bash',
      shown,
      reason: 'it may',
      expires: '2026-01-01T00:05:00Z',
      scopes: ['once', 'session', 'always'],
    },
    others: () => 0,
    look: createLook('none'),
    clock: { now: () => now, monotonic: () => now },
    timers: {
      after: (ms, run) => {
        const key = {};
        due.set(key, { at: now + ms, run });
        return { [Symbol.dispose]: () => void due.delete(key) };
      },
    },
    rows: () => 30,
    onAnswer: (answer) => void answers.push(answer),
    onChange: () => {},
    onInstead: () => {},
    early: (data) => {
      draft += data;
    },
    hasDraft: () => draft !== '',
  });
  const pass = (ms: number): void => {
    now += ms;
    for (const [key, { at, run }] of due) {
      if (at > now || !due.delete(key)) continue;
      run();
    }
  };
  panel.showAll('all', 60_000);
  pass(1_000);
  return { panel, answers, pass, draft: () => draft, text: () => panel.render(80).join('\n') };
}

const ENTER = '\r';

it.each([50, 300, 1_000])('is not answered by a word typed with %i ms between its keys [A6]', (pause) => {
  for (const word of ['also run the tests', 'skip', 'as before', '3 more', '2nd']) {
    const { panel, answers, pass, draft } = openPanel();
    for (const key of word) {
      panel.handleInput(key);
      pass(pause);
    }
    expect([answers, draft()]).toEqual([[], word]);
    pass(1_000);
    panel.handleInput(ENTER);
    expect(answers).toEqual([ApprovalAnswer.DENY]);
  }
});

it.each([
  ['s', ApprovalAnswer.ALLOW_SESSION],
  ['2', ApprovalAnswer.ALLOW_SESSION],
  ['a', ApprovalAnswer.ALLOW_ALWAYS],
  ['3', ApprovalAnswer.ALLOW_ALWAYS],
])('allows more than the action by %s only with Enter, which it says [A6]', (key, answer) => {
  const { panel, answers, pass, text } = openPanel();
  panel.handleInput(key);
  pass(10_000);
  expect(answers).toEqual([]);
  expect(text()).toContain('Enter confirms');
  panel.handleInput(ENTER);
  expect(answers).toEqual([answer]);
});

it('takes y alone, once nothing follows it [A6]', () => {
  const { panel, answers, pass } = openPanel();
  panel.handleInput('y');
  expect(answers).toEqual([]);
  pass(300);
  expect(answers).toEqual([ApprovalAnswer.ALLOW_ONCE]);
});

it.each(['y', 'a'])('forgets %s, pressed on another text than the one that came [A6]', (key) => {
  const { panel, answers, pass } = openPanel();
  panel.handleInput(key);
  panel.showAll('all, and much more', 60_000);
  pass(1_000);
  expect(answers).toEqual([]);
  panel.handleInput(ENTER);
  expect(answers).toEqual([ApprovalAnswer.DENY]);
});
