import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import {
  BranchEntrySchema,
  Delivery,
  KnownModelSchema,
  SearchHitSchema,
  SessionSummarySchema,
  TreeEntrySchema,
} from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { CANCELLED, SAMPLE } from '../testing/sample-session.ts';
import { UiStage } from '../testing/ui-stage.ts';

const ENTER = '\r';
const ESCAPE = '\x1b';
const ALT_ENTER = '\x1b\r';
const ALT_UP = '\x1b[1;3A';
const UP = '\x1b[A';
const CTRL_C = '\x03';

describe('input of a person', () => {
  it('sends to a run that goes on, after it, and takes the last one back to edit it [I2]', async () => {
    await using stage = await UiStage.open();
    stage.terminal.type('first');
    stage.terminal.type(ENTER);
    await stage.settled();
    stage.link.tell({ type: 'agent_start', message: 'm1' });
    stage.terminal.type('also this');
    stage.terminal.type(ENTER);
    stage.terminal.type('and then that');
    stage.terminal.type(ALT_ENTER);
    await stage.settled();
    expect(stage.link.sent.map(({ content, delivery }) => [content, delivery])).toEqual([
      ['first', Delivery.STEER],
      ['also this', Delivery.STEER],
      ['and then that', Delivery.UNSPECIFIED],
    ]);
    stage.link.tell({ type: 'queue_update', steer: ['m2'], followUp: ['m3'] });
    const waiting = await stage.shows('joins the run: also this');
    expect(waiting).toContain('next: and then that');
    stage.terminal.type(ALT_UP);
    await stage.settled();
    expect(stage.link.cancelled).toEqual(['m3']);
    expect(stage.ui.screen.prompt.draft).toBe('and then that');
    stage.terminal.type(ESCAPE);
    await stage.settled();
    expect(stage.link.cancelled).toEqual(['m3', '']);
    stage.link.tell(CANCELLED);
  });

  it('keeps a paste of many lines whole and sends it as one message [I2]', async () => {
    const lines = Array.from({ length: 400 }, (_, at) => `row ${at}`).join('\n');
    await using stage = await UiStage.open();
    stage.terminal.paste(lines.replaceAll('\n', '\r'));
    await stage.shows('+400 lines');
    stage.terminal.type(ENTER);
    await stage.settled();
    expect(stage.link.sent.map(({ content }) => content)).toEqual([lines]);
  });

  it('calls back what was said before, also in a session that is opened again [I2]', async () => {
    await using stage = await UiStage.open({ before: SAMPLE });
    stage.terminal.type(UP);
    await stage.settled();
    expect(stage.ui.screen.prompt.draft).toBe('Why does the port test fail? Mend it.');
  });

  it('completes commands, templates and names of files, and sends an image that is named [I2]', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bulkhead-tui-'));
    try {
      writeFileSync(join(folder, 'picture.png'), 'x');
      writeFileSync(join(folder, 'evil\x1b[2J.txt'), 'x');
      await using stage = await UiStage.open({ folder });
      stage.terminal.type('/th');
      expect(await stage.shows('/theme')).toContain('for a dark or a light screen');
      stage.terminal.type('\x7f\x7ffi');
      await stage.shows('a template');
      stage.terminal.type('\x15');
      stage.terminal.type('see @pic');
      await stage.shows('picture.png');
      stage.terminal.type('\t');
      await stage.settled();
      stage.terminal.type(ENTER);
      await stage.settled();
      expect(stage.link.sent.map(({ content, images }) => [content, images.length])).toEqual([
        ['see @picture.png', 1],
      ]);
      stage.terminal.type('@evil');
      await stage.settled();
      expect(stage.terminal.text).not.toContain('.txt');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('leaves with two Ctrl-C, after one that clears the line [I2]', async () => {
    await using stage = await UiStage.open();
    stage.terminal.type('a draft');
    stage.terminal.type(CTRL_C);
    expect(stage.ui.screen.prompt.draft).toBe('');
    stage.terminal.type(CTRL_C);
    await stage.shows('press Ctrl-C again to exit');
    stage.terminal.type(CTRL_C);
    expect(await stage.ended).toMatchObject({ sessionId: 's', run: 'none' });
  });

  it('takes no paste that is longer than a message, says so, and keeps what stands there [I2]', async () => {
    await using stage = await UiStage.open();
    stage.terminal.type('before ');
    stage.terminal.paste('x'.repeat(1_000_001));
    expect(await stage.shows('1.0 million characters')).toContain('Save it to a file');
    stage.terminal.paste('y'.repeat(400_000));
    await stage.shows('400000 chars');
    stage.terminal.type(ENTER);
    await stage.settled();
    expect(stage.link.sent.map(({ content }) => content)).toEqual([`before ${'y'.repeat(400_000)}`]);
  });

  it('puts a message back that could not be sent [I2]', async () => {
    await using stage = await UiStage.open();
    stage.link.refuses = 'the message is too long for it';
    stage.terminal.type('keep me');
    stage.terminal.type(ENTER);
    await stage.shows('the message is too long for it');
    expect(stage.ui.screen.prompt.draft).toBe('keep me');
  });

  it('says that a session lost records where one types, in the list and the last line, until it is accepted [S4] [I2]', async () => {
    await using stage = await UiStage.open();
    const loss = 'session lost lost its records 3 to 9: message m4';
    stage.link.sessions = [create(SessionSummarySchema, { sessionId: 'lost', title: 'Lost talk', loss })];
    stage.terminal.type('\x12');
    await stage.shows('read-only: lost records');
    stage.terminal.type(ENTER);
    await stage.shows('read-only: session lost lost its records 3 to 9: message m4');
    expect(stage.terminal.text).toContain('/accept-loss');
    expect(stage.terminal.text.trimEnd().split('\n').at(-1)).toContain('read-only');
    stage.terminal.type('/accept-loss');
    await stage.settled();
    stage.terminal.type(ENTER);
    await stage.shows('accepted: session lost');
    expect(stage.terminal.text.trimEnd().split('\n').at(-1)).not.toContain('read-only');
    stage.link.tell({ type: 'idle' });
    await stage.settled();
    expect(stage.terminal.text).not.toContain('Restore a backup');
  });

  it('chooses a session by what was said in it, and a model by a typed name [I2]', async () => {
    const commands = [{ name: 'model', about: 'x', run: (name: string) => void chosen.push(name) }];
    const chosen: string[] = [];
    await using stage = await UiStage.open({ commands });
    stage.link.sessions = [
      create(SessionSummarySchema, {
        sessionId: 'old',
        title: 'Old talk',
        messages: 4,
        updatedAt: '2025-12-31T00:00:00Z',
      }),
      create(SessionSummarySchema, { sessionId: 'untitled', messages: 2 }),
      create(SessionSummarySchema, { sessionId: 'empty' }),
      create(SessionSummarySchema, { sessionId: 's' }),
    ];
    stage.link.entries = [
      create(BranchEntrySchema, {
        entryId: 'e',
        message: { role: { case: 'user', value: { text: 'how to sail\nsafely' } } },
      }),
    ];
    stage.link.hits = [
      create(SearchHitSchema, { sessionId: 'found', title: 'Found talk', snippet: 'about boats' }),
    ];
    stage.terminal.type('\x12');
    const listed = await stage.shows('Old talk');
    expect(listed).toContain('how to sail …');
    expect(listed).toMatch(/› \(no messages yet\) · current/);
    expect(listed).toContain('3/3');
    stage.terminal.type('boat');
    await stage.shows('about boats');
    stage.terminal.type(ENTER);
    await stage.shows('session found');
    expect(stage.ui.sessionId).toBe('found');
    stage.link.models = [
      create(KnownModelSchema, { name: 'p/can-be', usable: true, price: { input: 2, output: 10 } }),
      create(KnownModelSchema, { name: 'p/can-not-be', usable: false }),
    ];
    stage.terminal.type('\x0c');
    await stage.shows('Choose a model');
    await stage.shows('p/can-be');
    await stage.shows('$2 in, $10 out');
    expect(stage.terminal.text).not.toContain('can-not-be');
    stage.terminal.type('openai/gpt-x');
    await stage.settled();
    stage.terminal.type(ENTER);
    await stage.gone('Choose a model');
    expect(chosen).toEqual(['openai/gpt-x']);
  });

  it('goes to any branch in the tree, forks there, and undoes what an action changed [I2]', async () => {
    const undone: string[] = [];
    const undo = { name: 'undo', about: 'x', run: (action: string) => void undone.push(action) };
    await using stage = await UiStage.open({ before: SAMPLE, commands: [undo] });
    const result = {
      case: 'tool',
      value: { callId: 'c2', name: 'edit', text: 'edited src/port.ts' },
    } as const;
    stage.link.entries = [create(BranchEntrySchema, { entryId: 'e2', message: { role: result } })];
    const entry = (parentId: string, entryId: string, kind: string, text: string, label = '') =>
      create(TreeEntrySchema, { parentId, entryId, kind, text, label, current: !entryId.startsWith('left') });
    stage.link.tree = [
      entry('', 'e1', 'user', 'Mend it.', 'the start'),
      entry('e1', 'left', 'assistant', 'Not now.'),
      entry('e1', 'e2', 'tool', 'edit edited src/port.ts'),
      entry('e2', 'e3', 'assistant', 'Done.'),
    ];
    const open = async () => {
      stage.terminal.type(ESCAPE);
      stage.terminal.type(ESCAPE);
      await stage.shows('Go to');
      stage.now += 10_000;
    };
    await open();
    expect(await stage.shows('edit: edited src/port.ts')).toMatch(/› ● +bulkhead: Done\. · here/);
    expect(stage.terminal.text).toMatch(/● you: Mend it\. · the start\s+○ +bulkhead: Not now\./);
    stage.terminal.type(ENTER);
    await stage.gone('Go to');
    await open();
    stage.terminal.type(UP);
    stage.terminal.type('\x15');
    await stage.gone('Go to');
    expect(undone).toEqual(['action-c2']);
    await open();
    for (let at = 0; at < 3; at += 1) stage.terminal.type(UP);
    stage.terminal.type(ENTER);
    await stage.shows('continues from "you: Mend it."');
    await open();
    for (let at = 0; at < 2; at += 1) stage.terminal.type(UP);
    stage.terminal.type(ENTER);
    await stage.shows('at the end of the branch of "bulkhead: Not now');
    expect(stage.link.moved).toEqual(['e1', 'end of left']);
    await open();
    stage.terminal.type('\x06');
    await stage.shows('session fork');
    expect(stage.link.forked).toEqual(['e3']);
  });

  it('reads a long tree page by page [I2]', async () => {
    await using stage = await UiStage.open();
    stage.link.tree = Array.from({ length: 5 }, (_, at) =>
      create(TreeEntrySchema, {
        entryId: `e${at}`,
        parentId: at === 0 ? '' : `e${at - 1}`,
        kind: 'user',
        text: `word ${at}`,
        current: true,
      }),
    );
    stage.link.treePage = 2;
    stage.terminal.type(ESCAPE);
    stage.terminal.type(ESCAPE);
    await stage.shows('word 4 · here');
    for (const first of ['word 1', 'word 0']) {
      expect(stage.terminal.text).not.toContain(first);
      for (let at = 0; at < 5; at += 1) stage.terminal.type(UP);
      stage.terminal.type(ENTER);
      await stage.shows(first);
    }
    expect(stage.terminal.text).not.toContain('earlier messages');
    expect(stage.link.moved).toEqual([]);
  });

  it('sees in an imported session what was imported, made inert [I2]', async () => {
    await using stage = await UiStage.open();
    stage.link.sessions = [
      create(SessionSummarySchema, { sessionId: 'brought', title: 'from afar', messages: 1 }),
    ];
    const said = { case: 'user', value: { text: 'said elsewhere \x1b]0;owned\x07' } } as const;
    stage.link.imported = [create(BranchEntrySchema, { entryId: 'i1', message: { role: said } })];
    stage.terminal.type('/sessions');
    await stage.settled();
    stage.terminal.type(ENTER);
    await stage.shows('from afar');
    stage.terminal.type(ENTER);
    await stage.shows('said elsewhere');
    expect(stage.terminal.written).not.toContain('\x1b]0;owned');
  });

  it('says in help what every key and command does [I2]', async () => {
    await using stage = await UiStage.open({ rows: 60 });
    stage.terminal.type('/help');
    await stage.settled();
    stage.terminal.type(ENTER);
    const help = await stage.shows('Alt-Enter');
    for (const word of ['/tree', '/sessions', '/theme', 'Ctrl-T', 'Esc']) expect(help).toContain(word);
  });
});
