import { describe, expect, it } from 'vitest';
import { differences, lastingDifferences } from './compare.ts';
import { limitProblems, parseLimits } from './limits.ts';
import { masked } from './masks.ts';
import type { Play, Played } from './play.ts';
import { splitNotes } from './play-boxed.ts';
import type { PieceResult } from './workbench.ts';

function play(command: Partial<Played>, tree: Readonly<Record<string, string>> = {}): Play {
  const base = { run: 'x', exit: 0, output: '', questions: [], refusals: [] };
  return { commands: [{ ...base, ...command }], tree: new Map(Object.entries(tree)) };
}

describe('differences', () => {
  it('finds exit codes, outputs and files, and names the first line that differs', () => {
    const plain = play({ output: 'a\nb' }, { f: 'file, mode 644\nx', g: 'folder, mode 755' });
    const boxed = play({ exit: 2, output: 'a\nc' }, { f: 'file, mode 600\nx', h: 'folder, mode 755' });
    expect(differences(plain, boxed).map(({ text }) => text)).toEqual([
      'command 1 exits with 2, not 0',
      'command 1 prints "c", not "b"',
      'f: "file, mode 600", not "file, mode 644"',
      'g is missing (folder, mode 755)',
      'h is left over (folder, mode 755)',
    ]);
  });

  it('accepts another order of lines, and notes below an output that looks like notes', () => {
    expect(differences(play({ output: 'a\nb\n' }), play({ output: 'b\na' }))).toEqual([]);
    const boxed = play({ output: '', withNotes: '- one\n[files: 1 created]\n+ f' });
    expect(differences(play({ output: '- one\n' }), boxed)).toEqual([]);
    expect(differences(play({ output: '- two\n' }), boxed)).toHaveLength(1);
  });

  it('ignores what differs between two plain plays', () => {
    const [one, two, boxed] = ['1', '2', '3'].map((output) => play({ output }, { f: 'same', g: output }));
    if (one === undefined || two === undefined || boxed === undefined) throw new Error('three plays');
    expect(lastingDifferences(one, two, boxed)).toEqual([]);
    expect(lastingDifferences(one, one, boxed)).toHaveLength(2);
  });
});

describe('masks and notes', () => {
  it('masks homes, hashes, times and names of temporary files, and keeps ordinary numbers', () => {
    const places = { homes: ['/h/me', '/home/bulkhead'], temporary: ['/own'] };
    expect(masked('/h/me/x /home/bulkhead/x /own/tmp.AbCdEf1234', places)).toBe('~/x ~/x /tmp/tmp.<name>');
    expect(masked('[main 9658301] HEAD is now at 1234567', places)).toBe(
      '[main <hash>] HEAD is now at <hash>',
    );
    expect(masked('[main 1a2b3c4] in 0.5s at 10:11:12, 1234567 rows', places)).toBe(
      '[main <hash>] in <duration> at <time>, 1234567 rows',
    );
  });

  it('splits the notes of Bulkhead from the output of a command', () => {
    expect(splitNotes('a\nb\n[exit code 3]\n[files: 1 created]\n+ f')).toEqual({
      output: 'a\nb',
      notes: '[exit code 3]\n[files: 1 created]\n+ f',
    });
    expect(splitNotes('(no output)').output).toBe('');
  });
});

describe('limits', () => {
  const result = (id: string, verdict: PieceResult['verdict']): PieceResult => {
    return { id, verdict, questions: 0, why: 'because', details: [], seconds: 0 };
  };
  const limits = parseLimits('# comment\na/one asked all git-key: x\na/two differs user cause: y\n');

  it('reports new, changed and vanished differences, for this user only', () => {
    const results = [result('a/one', 'same'), result('a/two', 'differs'), result('a/three', 'skipped')];
    expect(limitProblems(results, limits, 'user')).toEqual([
      'vanished: a/one is the same and unasked now; remove its line',
    ]);
    expect(limitProblems(results, limits, 'root')).toEqual([
      'vanished: a/one is the same and unasked now; remove its line',
      'new: a/two differs root CAUSE: because',
    ]);
    expect(limitProblems([result('a/one', 'differs')], limits, 'root')).toEqual([
      'listed as asked: a/one differs root CAUSE: because',
    ]);
  });

  it('refuses a line of another form, and a piece that is listed twice', () => {
    expect(() => parseLimits('a/one same all x: y')).toThrow('limits.txt');
    expect(() => parseLimits('a/one asked all x: y\na/one differs root x: y')).toThrow('listed twice');
  });
});
