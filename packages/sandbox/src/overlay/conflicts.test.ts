import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture } from '../testing/box-fixture.ts';
import { folderState } from '../testing/folder-state.ts';
import { type OverlayEnd, type OverlayRun, runOnOverlay, VIEWS } from '../testing/overlay-run.ts';

let fixture: BoxFixture;
let work: string;
let runs = 0;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});
beforeEach(() => {
  runs += 1;
  work = `${fixture.folder}/w${runs}`;
  for (const folder of ['d/sub', 'old']) mkdirSync(`${work}/${folder}`, { recursive: true });
  for (const name of ['f', 'g', 'd/x', 'd/sub/y', 'old/x'])
    writeFileSync(`${work}/${name}`, `${name} at first\n`);
});

/** Runs `command` and commits its changes; `meanwhile` runs before the verdict. */
async function runWith(
  command: string,
  meanwhile: () => void,
  changes: Partial<OverlayRun> = {},
): Promise<OverlayEnd> {
  runs += 1;
  return runOnOverlay({
    launcherPath: fixture.launcherPath,
    work,
    scratch: `${fixture.folder}/s${runs}`,
    command,
    verdict: 'commit',
    meanwhile,
    ...changes,
  });
}

const problems = (end: OverlayEnd): string[] =>
  end.records
    .filter((record) => /^(problem|conflict) /.test(record))
    .map((record) => record.replace(/^\w+ /, ''));

describe.each(VIEWS)('on %s, what somebody else changes meanwhile', (_view, options) => {
  const withMeanwhile = (command: string, meanwhile: () => void, changes: Partial<OverlayRun> = {}) =>
    runWith(command, meanwhile, { options, ...changes });

  it('control: without anybody else, each of these commands is committed', async () => {
    for (const command of ['echo c > f', 'rm f', 'rm -r d', 'chmod 600 f', 'echo c >> d/sub/y']) {
      expect((await withMeanwhile(command, () => {})).answer, command).toBe('committed');
      mkdirSync(`${work}/d/sub`, { recursive: true });
      for (const name of ['f', 'd/x', 'd/sub/y']) writeFileSync(`${work}/${name}`, name);
    }
  });

  const cases: readonly [string, string, (work: string) => void, string][] = [
    ['a file it changes', 'echo c > f', (w) => appendFileSync(`${w}/f`, 'saved\n'), 'changed-meanwhile f'],
    [
      'a file it changes, saved by renaming',
      'echo c > f',
      (w) => {
        writeFileSync(`${w}/f.new`, 'saved');
        renameSync(`${w}/f.new`, `${w}/f`);
      },
      'changed-meanwhile f',
    ],
    ['a file it deletes', 'rm f', (w) => appendFileSync(`${w}/f`, 'saved\n'), 'changed-meanwhile f'],
    [
      'a file in a folder it deletes',
      'rm -r d',
      (w) => appendFileSync(`${w}/d/sub/y`, 'saved\n'),
      'changed-meanwhile d/sub/y',
    ],
    [
      'a new file in a folder it deletes',
      'rm -r d',
      (w) => writeFileSync(`${w}/d/sub/new`, 'saved\n'),
      'changed-meanwhile d/sub',
    ],
    ['a name it creates', 'echo c > n', (w) => writeFileSync(`${w}/n`, 'saved\n'), 'changed-meanwhile n'],
    ['a file it changes, deleted', 'echo c >> f', (w) => unlinkSync(`${w}/f`), 'gone-meanwhile f'],
    [
      'the folder of a file it changes, deleted',
      'echo c >> d/x',
      (w) => rmSync(`${w}/d`, { recursive: true }),
      'gone-meanwhile d',
    ],
    [
      'the folder of a file it changes, made a link',
      'echo c >> d/x',
      (w) => {
        renameSync(`${w}/d`, `${w}/e`);
        symlinkSync('e', `${w}/d`);
      },
      'changed-meanwhile d',
    ],
    [
      'the folder of a file it changes, another one',
      'echo c >> d/x',
      (w) => {
        renameSync(`${w}/d`, `${w}/e`);
        mkdirSync(`${w}/d`);
        writeFileSync(`${w}/d/x`, 'saved');
      },
      'gone-meanwhile d',
    ],
    [
      'the folder of a file it changes, an older one',
      'echo c >> d/x',
      (w) => {
        renameSync(`${w}/d`, `${w}/e`);
        renameSync(`${w}/old`, `${w}/d`);
      },
      'gone-meanwhile d',
    ],
    [
      'the mode of a file whose mode it changes',
      'chmod 600 f',
      (w) => chmodSync(`${w}/f`, 0o640),
      'changed-meanwhile f',
    ],
  ];

  it.each(cases)('%s: a conflict after it did so [B2]', async (_what, command, change, expected) => {
    const end = await withMeanwhile(`${command}; echo ready; read -r _`, () => {}, {
      whileRunning: () => change(work),
    });
    expect(problems(end)).toContain(expected);
    expect(end.answer).toBe('dropped');
  });

  it.each(cases.slice(0, 6))('%s: a conflict before it does so [B2]', async (_what, command, change) => {
    const end = await withMeanwhile(`echo ready; read -r _; ${command}`, () => {}, {
      whileRunning: () => change(work),
    });
    expect(problems(end).join()).toMatch(/^(changed|gone)-meanwhile /);
    expect(end.answer).toBe('dropped');
  });

  // A person may be asked about the list, so minutes may pass before the verdict.
  it.each(cases)('%s: a conflict before the verdict [B2]', async (_what, command, change) => {
    let before = '';
    const end = await withMeanwhile(command, () => {
      change(work);
      before = folderState(work);
    });
    expect(end.answer).toMatch(/^conflict (changed|gone)-meanwhile /);
    expect(end.mark).toBe('none');
    expect(folderState(work)).toBe(before);
  });

  it('does not mind what others change elsewhere', async () => {
    const end = await withMeanwhile('echo c > f; rm d/x', () => {
      appendFileSync(`${work}/g`, 'saved\n');
      writeFileSync(`${work}/d/sub/new`, 'saved');
    });
    expect(end.answer).toBe('committed');
    expect(readFileSync(`${work}/g`, 'utf8')).toBe('g at first\nsaved\n');
  });
});
