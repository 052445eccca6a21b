import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { enumerate } from './enumerate.ts';
import { unreadable } from './unreadable.ts';

it('says of a file in words why it can not be read, and what to do [I1]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bulkhead-unreadable-'));
  const failure = (path: string): string => {
    try {
      return readFileSync(path, 'utf8');
    } catch (cause) {
      const { code, message, fix } = unreadable(path, cause, 'Name another.');
      return `${code}: ${message}. ${fix}`;
    }
  };
  expect(failure(folder)).toBe(`usage: ${folder} is a folder. Name another.`);
  expect(failure(`${folder}/none`)).toBe(`usage: ${folder}/none does not exist. Name another.`);
  expect(failure(`/dev/null/x`)).toContain('does not exist: part of its path is not a folder');
  expect(unreadable('x', new Error('odd'), 'y').message).toBe("x can't be read");
  rmSync(folder, { recursive: true });
});

it('lists words as a sentence does', () => {
  expect([['a'], ['a', 'b'], ['a', 'b', 'c']].map((words) => enumerate(words, 'or'))).toEqual([
    'a',
    'a or b',
    'a, b or c',
  ]);
});
