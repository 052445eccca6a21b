import { describe, expect, it } from 'vitest';
import { fileCallProblems, findFileCalls, parseFileCallExceptions } from './file-calls-rule.ts';

const calls = (text: string) => findFileCalls('a.ts', text).map(({ call }) => call);

describe('the ban of checked names [FR5]', () => {
  it.each([
    ["import { realpathSync } from 'node:fs';\nopen(realpathSync(p));", ['realpathSync']],
    ["import { existsSync, readFileSync } from 'fs';", ['existsSync', 'readFileSync']],
    ["import { stat as look, open } from 'node:fs/promises';", ['stat', 'open']],
    [
      "import { writeFile, rename, unlink, chmod, utimes } from 'fs/promises';",
      ['writeFile', 'rename', 'unlink', 'chmod', 'utimes'],
    ],
    ["import { promises } from 'node:fs';", ['promises']],
    ["import { globSync, somethingOfNextYear } from 'node:fs';", ['globSync', 'somethingOfNextYear']],
    ["import * as fs from 'node:fs';\nfs.readFileSync(p);", ['*']],
    ["import fs from 'node:fs';", ['*']],
    ["import fs, { readSync, rmSync } from 'node:fs';", ['*', 'rmSync']],
    ["import fs = require('node:fs');", ['*']],
    ["const fs = await import('node:fs');", ['import()']],
    ['const fs = await import(`node:fs/promises`);', ['import()']],
    ["const fs = createRequire(import.meta.url)('fs');", ['require()']],
    ["const fs = process.getBuiltinModule('node:fs');", ['require()']],
    ["export { readFileSync } from 'node:fs';", ['export']],
    ["export * from 'node:fs';", ['export']],
  ])('finds %j', (text, expected) => {
    expect(calls(text)).toEqual(expected);
  });

  it.each([
    "import type { BigIntStats, Dirent } from 'node:fs';",
    "import { type FileHandle } from 'node:fs/promises';",
    "import { constants, readSync, writeSync, fstatSync, fsyncSync, fchmodSync, closeSync } from 'node:fs';",
    "import { join } from 'node:path';",
    "import { readFileSync } from './own.ts';",
    'const text = "import { realpathSync } from \'node:fs\'"; // realpathSync(p)',
  ])('leaves alone %j', (text) => {
    expect(calls(text)).toEqual([]);
  });

  it('says where, what and why', () => {
    const found = findFileCalls('packages/tools/src/x.ts', "\nimport { openSync } from 'node:fs';");
    expect(fileCallProblems(found, parseFileCallExceptions(''))).toEqual([
      'packages/tools/src/x.ts:2 uses openSync: what a path leads to can be swapped after it was checked',
    ]);
  });
});

describe('its exceptions', () => {
  const found = findFileCalls('a/b.ts', "import { openSync, rmSync } from 'node:fs';");
  const problems = (text: string) => fileCallProblems(found, parseFileCallExceptions(text));

  it('excuse the calls they name, in a file or a folder', () => {
    expect(problems('2026-01-02 a/b.ts openSync,rmSync own files of the engine')).toEqual([]);
    expect(problems('# why\n\n2026-01-02 a/ any own files of the engine')).toEqual([]);
    expect(problems('2026-01-02 a/b.ts openSync own files of the engine')).toHaveLength(1);
    expect(problems('2026-01-02 a/b openSync,rmSync own files of the engine')).toHaveLength(3);
  });

  it('have a date and a reason, and go when nothing needs them', () => {
    expect(problems('a/b.ts openSync,rmSync own files of the engine')[0]).toContain(
      'an exception is written',
    );
    expect(problems('2026-01-02 a/b.ts openSync,rmSync short')[0]).toContain('an exception is written');
    expect(problems('2026-01-02 a/b.ts openSync,rmSync,linkSync own files of the engine')).toEqual([
      'a/b.ts needs no exception for linkSync any more',
    ]);
    expect(
      problems('2026-01-02 a/ any own files of the engine\n2026-01-02 c.ts any own files of the engine'),
    ).toEqual(['c.ts needs no exception for any any more']);
  });
});
