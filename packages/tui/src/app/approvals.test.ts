import { ApprovalAnswer, Delivery } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { ASKING } from '../testing/sample-session.ts';
import { UiStage } from '../testing/ui-stage.ts';

const ENTER = '\r';
const ESCAPE = '\x1b';
const CTRL_C = '\x03';
const UP = '\x1b[A';
const DOWN = '\x1b[B';

describe('a question about an action', () => {
  /** @param keys pressed after the question was visible for a while */
  async function answered(keys: readonly string[], isAnswer = true) {
    await using stage = await UiStage.open();
    stage.link.knows('q1', 'h', 'all of it');
    stage.link.tell(...ASKING);
    await stage.shows('all of it');
    stage.now += 1_000;
    for (const key of keys) stage.terminal.type(key);
    await stage.settled();
    if (isAnswer) await expect.poll(() => stage.link.decided.length, { timeout: 10_000 }).toBe(1);
    return stage.link.decided.map(({ answer, actionHash, approvalId }) => [answer, actionHash, approvalId]);
  }

  it.each([
    ['Enter alone', [ENTER], ApprovalAnswer.DENY],
    ['Escape', [ESCAPE], ApprovalAnswer.DENY],
    ['Ctrl-C', [CTRL_C], ApprovalAnswer.DENY],
    ['y', ['y'], ApprovalAnswer.ALLOW_ONCE],
    ['s and Enter', ['s', ENTER], ApprovalAnswer.ALLOW_SESSION],
    ['a and Enter', ['a', ENTER], ApprovalAnswer.ALLOW_ALWAYS],
    ['n', ['n'], ApprovalAnswer.DENY],
    ['1', ['1'], ApprovalAnswer.ALLOW_ONCE],
    ['2 and Enter', ['2', ENTER], ApprovalAnswer.ALLOW_SESSION],
    ['3 and Enter', ['3', ENTER], ApprovalAnswer.ALLOW_ALWAYS],
    ['4', ['4'], ApprovalAnswer.DENY],
    ['up and Enter', [UP, ENTER], ApprovalAnswer.ALLOW_ALWAYS],
    ['down, up and Enter', [DOWN, UP, ENTER], ApprovalAnswer.DENY],
  ])('is answered by %s, bound to what was shown [A6] [I2]', async (_, keys, answer) => {
    expect(await answered(keys)).toEqual([[answer, 'h', 'q1']]);
  });

  it.each([['x'], [' '], ['6'], [UP]])('is not answered by %j alone [A6]', async (keys) => {
    expect(await answered([keys], false)).toEqual([]);
  });

  it('is not answered by letters while the input line has text: they go on with it [A6]', async () => {
    await using stage = await UiStage.open();
    stage.terminal.type('tr');
    stage.link.knows('q1', 'h', 'all of it');
    stage.link.tell(...ASKING);
    await stage.shows('all of it');
    stage.now += 1_000;
    stage.terminal.type('y');
    expect(stage.ui.screen.prompt.draft).toBe('try');
    stage.now += 1_000;
    await stage.shows('letters go on with your text');
    stage.terminal.type('\x7f');
    expect(stage.ui.screen.prompt.draft).toBe('tr');
    stage.now += 1_000;
    stage.terminal.type(ENTER);
    await stage.settled();
    expect(stage.link.decided.map(({ answer }) => answer)).toEqual([ApprovalAnswer.DENY]);
  });

  it('names the rule or the grant that a permanent answer adds [A6]', async () => {
    await using stage = await UiStage.open();
    stage.link.knows('q1', 'h', 'all of it');
    const rule = 'grant for every `npm install` in /w';
    const asking = ASKING.map((event) => (event.type === 'approval_requested' ? { ...event, rule } : event));
    stage.link.tell(...asking);
    await stage.shows('Always allow · adds a grant for every `npm install` in /w');
  });

  it('is not answered by the first letter of a word: the word goes to the input line [A6]', async () => {
    await using stage = await UiStage.open();
    stage.link.knows('q1', 'h', 'all of it');
    stage.link.tell(...ASKING);
    await stage.shows('all of it');
    stage.now += 1_000;
    stage.terminal.type('any');
    expect(stage.ui.screen.prompt.draft).toBe('any');
    stage.now += 1_000;
    stage.terminal.type(ENTER);
    await stage.settled();
    expect(stage.link.decided.map(({ answer }) => answer)).toEqual([ApprovalAnswer.DENY]);
  });

  it('is denied with what to do instead: the words are sent first, and join the run [A6] [I2]', async () => {
    await using stage = await UiStage.open();
    stage.link.knows('q1', 'h', 'all of it');
    stage.link.tell(...ASKING);
    await stage.shows('all of it');
    stage.now += 1_000;
    stage.terminal.type('5');
    stage.terminal.type(ENTER);
    await stage.shows('What should the agent do instead?');
    stage.terminal.type(ESCAPE);
    await stage.shows('Allow once');
    expect(stage.link.decided).toEqual([]);
    stage.terminal.type('i');
    await stage.shows('What should the agent do instead?');
    stage.terminal.type(ENTER);
    stage.terminal.type('yes, but in notes.md');
    stage.terminal.type(ENTER);
    await stage.settled();
    expect(stage.link.decided.map(({ answer }) => answer)).toEqual([ApprovalAnswer.DENY]);
    expect(stage.link.sent.map(({ content, delivery }) => [content, delivery])).toEqual([
      ['yes, but in notes.md', Delivery.STEER],
    ]);
  });

  it('shows the exact bytes only on request: the lines above them say the same [A6]', async () => {
    await using stage = await UiStage.open();
    stage.link.knows('q1', 'h', 'all of it\nexactly: {"a":1}');
    stage.link.tell(...ASKING);
    expect(await stage.shows('all of it')).not.toContain('exactly:');
    stage.now += 1_000;
    stage.terminal.type('d');
    stage.ui.screen.draw();
    await stage.shows('exactly: {"a":1}');
    expect(stage.link.decided).toEqual([]);
  });

  it('takes no key that was pressed while it came: it goes on with what was typed [A6]', async () => {
    await using stage = await UiStage.open();
    stage.terminal.type('tell me wh');
    stage.link.tell(...ASKING);
    await stage.shows('read it first');
    stage.terminal.type('y');
    expect(stage.link.decided).toEqual([]);
    expect(stage.ui.screen.prompt.draft).toBe('tell me why');
    stage.now += 300;
    stage.terminal.type('?');
    stage.now += 300;
    stage.terminal.type('!');
    expect(stage.ui.screen.prompt.draft).toBe('tell me why?!');
    stage.now += 700;
    stage.terminal.type(ENTER);
    await stage.settled();
    expect(stage.link.decided.map(({ answer }) => answer)).toEqual([ApprovalAnswer.DENY]);
    expect(stage.ui.screen.prompt.draft).toBe('tell me why?!');
  });

  it('shows all of an action that the event showed cut, to be scrolled on a small screen [A6]', async () => {
    const all = Array.from({ length: 60 }, (_, at) => `argument ${at}`).join('\n');
    await using stage = await UiStage.open({ columns: 40, rows: 12 });
    stage.link.knows('q1', 'h', all);
    stage.link.tell(...ASKING);
    await stage.shows('argument 0');
    stage.now += 1_000;
    for (let pages = 0; pages < 30; pages += 1) stage.terminal.type('\x1b[6~');
    stage.ui.screen.draw();
    const end = await stage.shows('argument 59');
    expect(end).toContain('n Deny');
    expect(end).toContain('Allow this write?');
  });

  it('is not allowed before all of the action is there [A6]', async () => {
    await using stage = await UiStage.open({ before: ASKING });
    await stage.shows('Always allow');
    stage.now += 1_000;
    for (const key of ['y', ENTER]) stage.terminal.type(key);
    await stage.shows('loading the whole action');
    expect(stage.link.decided).toEqual([]);
    stage.terminal.type(ESCAPE);
    await stage.settled();
    expect(stage.link.decided.map(({ answer }) => answer)).toEqual([ApprovalAnswer.DENY]);
  });

  it('shows no other action than the one it was asked about, whatever the engine has under its id [A6]', async () => {
    await using stage = await UiStage.open();
    stage.link.knows('q1', 'another hash', 'path: /etc/passwd');
    stage.link.tell(...ASKING);
    await stage.shows('.vscode/settings.json');
    await stage.settled();
    stage.ui.screen.draw();
    expect(await stage.shows('Allow once')).not.toContain('/etc/passwd');
  });

  it('is asked again when the answer did not get there, and the next answer counts [A6]', async () => {
    await using stage = await UiStage.open();
    stage.link.knows('q1', 'h', 'all of it');
    stage.link.tell(...ASKING);
    await stage.shows('Always allow');
    stage.link.refuses = 'it is away';
    stage.now += 1_000;
    stage.terminal.type(ENTER);
    await stage.shows('the answer could not be sent, so the approval is still pending: it is away');
    stage.link.refuses = undefined;
    await stage.shows('Always allow');
    stage.now += 1_000;
    stage.terminal.type('y');
    stage.terminal.type(ENTER);
    await stage.settled();
    expect(stage.link.decided.map(({ answer }) => answer)).toEqual([ApprovalAnswer.ALLOW_ONCE]);
  });

  it('goes away when it is decided elsewhere [A6] [T3]', async () => {
    await using stage = await UiStage.open({ before: ASKING });
    await stage.shows('Allow once');
    stage.link.tell({
      type: 'approval_decided',
      approval: 'q1',
      action: 'action-c5',
      hash: 'h',
      decision: 'deny',
      by: 'person',
    });
    await stage.gone('Allow once');
    expect(stage.terminal.text).toContain('not allowed: you denied it');
    expect(stage.link.decided).toEqual([]);
  });
});
