import { describe, expect, it } from 'vitest';
import { appendTask, editTask, runTask, writeTask } from './change-tasks.ts';
import { countFilesTask, countTask, listTask, rankTask, readTask } from './look-tasks.ts';
import { findTask, searchTask } from './search-tasks.ts';
import type { Talk, Task, ToolWish } from './task.ts';

const refused = { text: ' no entry \n', isError: true };
const ok = (text: string) => ({ text, isError: false });

/** Plays a task over these outcomes of its calls. @returns its calls and its end */
function play(task: Task, ...outcomes: readonly { text: string; isError: boolean }[]) {
  const calls: [string, ToolWish['args']][] = [];
  const said: string[] = [];
  let turn = task.next();
  for (const outcome of outcomes) {
    if (turn.done) throw new Error('the task ended early');
    calls.push([turn.value.tool, turn.value.args]);
    said.push(turn.value.say);
    turn = task.next(outcome);
  }
  if (!turn.done) throw new Error(`the task asks for ${turn.value.tool}`);
  return { calls, said, text: turn.value.text, ok: turn.value.ok };
}

const talkOf = (file?: string, folder = '.'): Talk => ({ file, folder });
const LISTING = '-  9 x.ts\n- 99 y.ts\nd 0 lib/\n3 entries';
const ONE = '- 1 x.ts\nd 0 lib/\nd 0 src/\n3 entries';

describe('folders', () => {
  it('lists a folder, or the one before', () => {
    const talk = talkOf(undefined, 'src');
    const listed = play(listTask({ kind: 'list', path: undefined }, talk), ok(LISTING));
    expect(listed).toMatchObject({ calls: [['ls', { path: 'src' }]], said: ['I list src.'], ok: true });
    expect(listed.text).toBe(`In src there is:\n\`\`\`\n${LISTING}\n\`\`\``);
    const here = play(listTask({ kind: 'list', path: '.' }, talk), ok(LISTING));
    expect(here.said).toEqual(['I list the folder.']);
    expect(here.text).toMatch(/^Here there is:/);
    expect(talk.folder).toBe('.');
  });

  it.each([
    ['largest', LISTING, 'The largest file in src is y.ts (99 bytes).', 'src/y.ts'],
    ['smallest', LISTING, 'The smallest file in src is x.ts (9 bytes).', 'src/x.ts'],
    ['largest', ONE, 'The largest file in src is x.ts (1 byte).', 'src/x.ts'],
    ['largest', '- 5 a\n- 5 b', '2 files tie for the largest in src, each 5 bytes: a, b.', 'src/a'],
    ['largest', 'd 0 lib/', 'In src there are no files.', undefined],
  ] as const)('names the %s file of %j', (order, listing, text, file) => {
    for (const path of ['src', 'src/']) {
      const talk = talkOf();
      const ranked = play(rankTask({ kind: 'rank', path, order }, talk), ok(listing));
      expect(ranked).toMatchObject({ text: text.replace('src', path), ok: true });
      expect(talk).toEqual({ file, folder: path });
    }
    const talk = talkOf();
    play(rankTask({ kind: 'rank', path: undefined, order }, talk), ok(listing));
    expect(talk.file).toBe(file?.slice('src/'.length));
  });

  it.each([
    [LISTING, 'Here there are 2 files and 1 folder.'],
    [ONE, 'Here there are 1 file and 2 folders.'],
    ['0 entries', 'Here there are 0 files and 0 folders.'],
  ])('counts files and folders of %j', (listing, text) => {
    const counted = play(countFilesTask({ kind: 'count-files', path: undefined }, talkOf()), ok(listing));
    expect(counted).toMatchObject({ calls: [['ls', { path: '.' }]], text, ok: true });
  });

  it('adds up the pages of a folder, and stops at a page that leads back', () => {
    const page = (next: number) => ok(`- 1 f${next}\n[more: continue with offset=${next}]`);
    const task = countFilesTask({ kind: 'count-files', path: 'src' }, talkOf());
    const { calls, text } = play(task, page(1), page(2), page(2));
    expect(calls.map(([, args]) => args)).toEqual([
      { path: 'src' },
      { path: 'src', offset: 1 },
      { path: 'src', offset: 2 },
    ]);
    expect(text).toBe('In src there are 3 files and 0 folders.');
  });

  it('says why a folder could not be listed', () => {
    const text = 'I could not list src: no entry';
    const path = 'src';
    const tasks = [
      listTask({ kind: 'list', path }, talkOf()),
      rankTask({ kind: 'rank', path, order: 'largest' }, talkOf()),
      countFilesTask({ kind: 'count-files', path }, talkOf()),
    ];
    for (const task of tasks) expect(play(task, refused)).toMatchObject({ text, ok: false });
    const without = play(listTask({ kind: 'list', path }, talkOf()), { text: '\n', isError: true });
    expect(without.text).toBe('I could not list src: no reason was given');
  });
});

describe('files', () => {
  const whole = { kind: 'whole' } as const;

  it.each([
    [whole, 'a\nb', 'x.md:\n```\na\nb\n```'],
    [
      whole,
      'a\nb\n[lines 1-2 of 9; continue with offset=3]',
      'x.md (its first 2 of 9 lines):\n```\na\nb\n```',
    ],
    [whole, '', 'x.md is empty.'],
    [whole, '[empty file]', 'x.md is empty.'],
    [whole, '[binary file, 12 bytes]', 'x.md is no text: [binary file, 12 bytes]'],
    [{ kind: 'first', lines: 1 }, 'a\nb', 'The first 1 line of x.md:\n```\na\n```'],
    [{ kind: 'first', lines: 2 }, 'a\nb\nc', 'The first 2 lines of x.md:\n```\na\nb\n```'],
    [{ kind: 'last', lines: 2 }, 'a\nb\nc', 'The last 2 lines of x.md:\n```\nb\nc\n```'],
  ] as const)('shows %j of %j', (part, text, shown) => {
    const range = part.kind === 'first' ? { offset: 1, limit: part.lines } : {};
    const read = play(readTask({ kind: 'read', path: undefined, part }, talkOf('x.md')), ok(text));
    expect(read).toMatchObject({ calls: [['read', { path: 'x.md', ...range }]], text: shown, ok: true });
    expect(read.said).toEqual(['I read x.md.']);
  });

  it.each([
    [2, 10, 9],
    [30, 10, 1],
    [1, 10, 10],
  ])('asks for the last %d of %d lines by their place', (lines, total, offset) => {
    const part = { kind: 'last', lines } as const;
    const talk = talkOf();
    const first = ok(`a\n[lines 1-1 of ${total}; continue with offset=2]`);
    const task = () => readTask({ kind: 'read', path: 'x.md', part }, talk);
    const { calls, text } = play(task(), first, ok(`z\n[lines ${offset}-10 of ${total}]`));
    expect(calls[1]).toEqual(['read', { path: 'x.md', offset, limit: lines }]);
    expect(text).toBe('The last 1 line of x.md:\n```\nz\n```');
    expect(talk.file).toBe('x.md');
    expect(play(task(), first, refused)).toMatchObject({
      text: 'I could not read x.md: no entry',
      ok: false,
    });
  });

  it.each([
    ['lines', 'one two\nthree', '2 lines'],
    ['words', 'one  two\nthree', '3 words'],
    ['characters', 'aé\n🙂', '4 characters'],
    ['words', '[empty file]', '0 words'],
    ['words', 'one\n[lines 1-1 of 9; continue with offset=2]', 'at least 1 word'],
    ['lines', 'one\n[lines 1-1 of 9; continue with offset=2]', '9 lines'],
    ['lines', 'one\n[lines 1-1 of more than 9; continue with offset=2]', 'at least 9 lines'],
  ] as const)('counts %s of %j', (unit, text, count) => {
    const talk = talkOf();
    const counted = play(countTask({ kind: 'count', path: 'x.md', unit }, talk), ok(text));
    expect(counted).toMatchObject({
      calls: [['read', { path: 'x.md' }]],
      text: `x.md has ${count}.`,
      ok: true,
    });
    expect(talk.file).toBe('x.md');
  });

  it('counts nothing of a file that is no text', () => {
    const task = countTask({ kind: 'count', path: 'x', unit: 'lines' }, talkOf());
    expect(play(task, ok('[binary file, 12 bytes]')).text).toBe('x is no text: [binary file, 12 bytes]');
  });

  it('asks which file is meant, and says why one could not be read or changed', () => {
    const tasks = (path: string | undefined, file?: string) => [
      readTask({ kind: 'read', path, part: whole }, talkOf(file)),
      countTask({ kind: 'count', path, unit: 'lines' }, talkOf(file)),
      appendTask({ kind: 'append', path, content: 'c' }, talkOf(file)),
      editTask({ kind: 'edit', path, oldText: 'a', newText: 'b' }, talkOf(file)),
    ];
    for (const task of tasks(undefined)) expect(play(task)).toMatchObject({ calls: [], ok: false });
    for (const task of [...tasks('x.md'), ...tasks(undefined, 'x.md')]) {
      const { text, ok: fine } = play(task, refused);
      expect([text.replace(/read|edit/, 'take'), fine]).toEqual(['I could not take x.md: no entry', false]);
    }
    const write = writeTask({ kind: 'write', path: 'x.md', content: 'c' }, talkOf());
    expect(play(write, refused)).toMatchObject({ text: 'I could not write x.md: no entry', ok: false });
  });
});

describe('changes', () => {
  it('remember their file, and say that they are done', () => {
    const talk = talkOf();
    const written = play(writeTask({ kind: 'write', path: 'x.md', content: 'c' }, talk), ok('1 byte\n'));
    expect(written).toMatchObject({
      calls: [['write', { path: 'x.md', content: 'c' }]],
      said: ['I write x.md.'],
      text: 'I wrote x.md: 1 byte',
      ok: true,
    });
    const edit = { kind: 'edit', path: undefined, oldText: 'a', newText: 'b' } as const;
    expect(play(editTask(edit, talk), ok('1 place\n'))).toMatchObject({
      calls: [['edit', { path: 'x.md', old_text: 'a', new_text: 'b' }]],
      text: 'I changed x.md: 1 place',
      ok: true,
    });
    play(editTask({ ...edit, path: 'y.md' }, talk), ok(''));
    expect(talk.file).toBe('y.md');
  });

  it('append a line to whole texts only', () => {
    const task = (talk = talkOf()) => appendTask({ kind: 'append', path: 'x.md', content: 'c' }, talk);
    const talk = talkOf();
    const appended = play(task(talk), ok('a\nb'), ok(''));
    expect(appended.calls[1]).toEqual(['write', { path: 'x.md', content: 'a\nb\nc\n' }]);
    expect(appended).toMatchObject({ text: 'I added a line to x.md.', ok: true });
    expect(talk.file).toBe('x.md');
    expect(play(task(), ok('a'), refused)).toMatchObject({
      text: 'I could not write x.md: no entry',
      ok: false,
    });
    for (const text of ['a\n[lines 1-1 of 9; continue with offset=2]', '[binary file, 12 bytes]'])
      expect(play(task(), ok(text))).toMatchObject({ calls: [['read', { path: 'x.md' }]], ok: false });
  });

  it.each([
    [ok('fine\n'), 'I ran: ls\nIt printed:\n```\nfine\n```', true],
    [ok(' \n'), 'I ran: ls\nIt printed nothing.', true],
    [refused, 'The command did not succeed: ls\n```\n no entry \n```', false],
  ])('run a command that gives %j', (outcome, text, fine) => {
    expect(play(runTask({ kind: 'run', command: 'ls' }), outcome)).toEqual({
      calls: [['bash', { command: 'ls' }]],
      said: ['I run the command.'],
      text,
      ok: fine,
    });
  });
});

describe('searches', () => {
  it('remember the only file, and none of several', () => {
    const find = { kind: 'find', pattern: '*.md', path: undefined } as const;
    const talk = talkOf('old', 'src');
    const one = play(findTask(find, talk), ok('a.md\n\n[1 file]'));
    expect(one.calls).toEqual([['find', { pattern: '*.md', path: 'src' }]]);
    expect(one.text).toMatch(/^Files named \*\.md:\n```\na\.md/);
    expect(talk.file).toBe('a.md');
    play(findTask(find, talk), ok('b.md\nc.md'));
    expect(talk.file).toBe('a.md');
    const none = play(findTask({ ...find, path: 'lib' }, talk), ok('No files match.'));
    expect(none).toMatchObject({ text: 'No file is named *.md.', ok: true });
    expect(none.calls).toEqual([['find', { pattern: '*.md', path: 'lib' }]]);
    expect(talk.file).toBe('a.md');
  });

  it('show lines, say that there are none, and why they failed', () => {
    const search = { kind: 'search', pattern: 'TODO', path: undefined } as const;
    const task = () => searchTask(search, talkOf(undefined, 'src'));
    expect(play(task(), ok('a.ts:1: TODO'))).toEqual({
      calls: [['grep', { pattern: 'TODO', path: 'src' }]],
      said: ['I search for TODO.'],
      text: 'Lines with TODO:\n```\na.ts:1: TODO\n```',
      ok: true,
    });
    expect(play(task(), ok('no matches')).text).toBe('No line has TODO.');
    // A line that looks like the notice, among others, is a line.
    expect(play(task(), ok('no matches\na')).text).toMatch(/^Lines with TODO:/);
    expect(play(task(), refused)).toMatchObject({ text: 'I could not search for TODO: no entry', ok: false });
    const find = findTask({ kind: 'find', pattern: 'x', path: undefined }, talkOf());
    expect(play(find, refused)).toMatchObject({ text: 'I could not look for x: no entry', ok: false });
  });
});
