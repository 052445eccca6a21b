import { describe, expect, it } from 'vitest';
import { change } from '../testing/scripted-transaction.ts';
import { changeLines, countChanges, countText } from './change-list.ts';

describe('changeLines', () => {
  it('says of each change what a person must know', () => {
    const lines = changeLines(
      [
        change('new.sh', { mode: 0o755 }),
        change('a', { what: 'changed', was: 'file', wasMode: 0o644 }),
        change('m', { what: 'metadata', was: 'file', mode: 0o755, wasMode: 0o644 }),
        change('o', {
          what: 'metadata',
          was: 'file',
          mode: 0o644,
          wasMode: 0o644,
          owners: { was: '0:0', now: '12:34' },
        }),
        change('t', { what: 'metadata', was: 'file', mode: 0o644, wasMode: 0o644 }),
        change('gone', { what: 'deleted', kind: 'missing', was: 'file' }),
        change('l', {
          what: 'replaced',
          kind: 'link',
          was: 'file',
          mode: 0o777,
          target: Buffer.from('../\u202e'),
        }),
        change('bad\xff\n', {}),
      ],
      10,
    );
    expect(lines).toEqual([
      '~ a',
      '+ bad\\xff\\x0a',
      '- gone',
      '~ l (was a file, link to ../\\xe2\\x80\\xae)',
      '~ m (mode 644 to 755)',
      '+ new.sh (executable)',
      '~ o (owner 0:0 to 12:34)',
      '~ t (times)',
    ]);
  });

  it('counts what lies in a folder that came or went, and lists what only lies beside it', () => {
    const changes = [
      change('n', { kind: 'folder' }),
      change('n/a'),
      change('n/b', { kind: 'folder' }),
      change('n/b/c'),
      change('no'),
      change('old', { what: 'deleted', kind: 'missing', was: 'folder' }),
      change('old/x', { what: 'deleted', kind: 'missing', was: 'file' }),
    ];
    expect(changeLines(changes, 10)).toEqual(['+ n/ (3 inside)', '+ no', '- old/ (1 inside)']);
    expect(changeLines(changes, 1)).toEqual(['+ n/ (3 inside)', '… and 2 more']);
    expect(countText(countChanges(changes))).toBe('5 created, 2 deleted');
    expect(countText(countChanges([]))).toBe('nothing');
  });

  it('takes a hundred thousand changes in its stride', () => {
    const changes = [change('n', { kind: 'folder' })];
    for (let index = 0; index < 100_000; index += 1) changes.push(change(`n/${index}/x`));
    expect(changeLines(changes, 5)).toEqual(['+ n/ (100000 inside)']);
  });
});
