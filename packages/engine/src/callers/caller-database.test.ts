import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCallerDatabase } from './caller-database.ts';

let folder: string;
const path = () => join(folder, 'callers.db');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the sessions of programs', () => {
  it('are found by the names that their program gave them, and by no other program [I4]', () => {
    {
      using names = openCallerDatabase(path());
      names.keep('a', 'x', 's1');
      names.keep('b', 'x', 's2');
      names.keep('a', 'y', 's3');
      names.keep('a', 'y', 's4');
    }
    using names = openCallerDatabase(path());
    expect([names.sessionOf('a', 'x'), names.sessionOf('b', 'x'), names.sessionOf('a', 'y')]).toEqual([
      's1',
      's2',
      's4',
    ]);
    expect(names.sessionOf('b', 'y')).toBeUndefined();
    expect(names.sessionOf('', 'x')).toBeUndefined();
  });

  it('are told from those of the owner, whatever they are called [P7] [M4]', () => {
    using names = openCallerDatabase(path());
    for (const [caller, session] of [
      ['owner', 's1'],
      ['a', 's2'],
    ] as const) {
      names.keep(caller, session, session);
      names.keep(caller, 'diary', session);
    }
    expect(['s1', 's2', 's3', ''].map((session) => names.isOfProgram(session))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it('in a file that is none are refused, with a way out', () => {
    writeFileSync(path(), 'no database, and long enough to be looked at as one'.repeat(50));
    expect(() => openCallerDatabase(path())).toThrow(expect.objectContaining({ code: 'store_corrupt' }));
  });
});
