import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dailyPath, memoryPath, targetPath } from './memory-path.ts';

describe('memoryPath', () => {
  it('knows the files that the user owns [M1]', () => {
    expect(memoryPath('MEMORY.md')).toEqual({ source: 'memory', date: '', isConflict: false });
    expect(memoryPath('USER.md')?.source).toBe('user');
    expect(memoryPath('AGENTS.md')?.source).toBe('agents');
    expect(memoryPath('HEARTBEAT.md')?.source).toBe('heartbeat');
    expect(memoryPath('memory/202611/20261102.md')).toEqual({
      source: 'daily',
      date: '2026-11-02',
      isConflict: false,
    });
    expect(memoryPath('knowledge/deep/house.md')?.source).toBe('knowledge');
  });

  it.each([
    'SOUL.md',
    'memory/202611/20261131.md',
    'memory/202610/20261102.md',
    'memory/20261102.md',
    'memory/202611/notes.md',
    'knowledge/picture.png',
    'other/MEMORY.md',
    '',
  ])('takes %j for no memory', (path) => expect(memoryPath(path)).toBeUndefined());

  it.each([
    ['MEMORY (conflicted copy).md', 'memory'],
    ["MEMORY (Ann's conflicted copy 2026-11-02).md", 'memory'],
    ['MEMORY.sync-conflict-20261102-101500-ABCDEFG.md', 'memory'],
    ['memory/202611/20261102.sync-conflict-20261102-101500-X.md', 'daily'],
    ['knowledge/house (conflict).md', 'knowledge'],
  ])('knows %j for a copy that a sync tool left', (path, source) => {
    expect(memoryPath(path)).toMatchObject({ source, isConflict: true });
  });

  it('finds the day of every daily note again', () => {
    const day = fc.date({ min: new Date('1970-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(day, (date) => {
        const text = date.toISOString().slice(0, 10);
        expect(memoryPath(dailyPath(text))?.date).toBe(text);
      }),
    );
  });

  it('names the file of each target', () => {
    expect(targetPath('memory', '2026-11-02')).toBe('MEMORY.md');
    expect(targetPath('user', '2026-11-02')).toBe('USER.md');
    expect(targetPath('agents', '2026-11-02')).toBe('AGENTS.md');
    expect(targetPath('heartbeat', '2026-11-02')).toBe('HEARTBEAT.md');
    expect(targetPath('daily', '2026-11-02')).toBe('memory/202611/20261102.md');
  });
});
