import { chmodSync, chownSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture, NOBODY } from '../testing/box-fixture.ts';
import { folderState } from '../testing/folder-state.ts';
import { type OverlayEnd, type OverlayRun, runOnOverlay, VIEWS } from '../testing/overlay-run.ts';
import { parseControlRecord } from '../transaction/control-record.ts';

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
  mkdirSync(`${work}/d/sub`, { recursive: true });
  for (const name of ['f', 'd/x', 'd/sub/y']) writeFileSync(`${work}/${name}`, `${name}\n`);
  symlinkSync('f', `${work}/l`);
  for (const name of ['d', 'd/x']) chownSync(`${work}/${name}`, 12, 34);
});

function run(command: string, changes: Partial<OverlayRun> = {}): Promise<OverlayEnd> {
  runs += 1;
  const scratch = `${fixture.folder}/s${runs}`;
  return runOnOverlay({
    launcherPath: fixture.launcherPath,
    work,
    scratch,
    command,
    verdict: 'commit',
    ...changes,
  });
}

const ownerOf = (name: string): string => {
  const { uid, gid } = lstatSync(`${work}/${name}`);
  return `${uid}:${gid}`;
};

/** `WHAT PATH WAS>NOW` of each change of an owner, sorted. */
function given(end: OverlayEnd): string[] {
  const records = end.records.map((record) => parseControlRecord(Buffer.from(record)));
  return records
    .flatMap((record) => {
      if (record.type !== 'change' || record.change.owners === undefined) return [];
      const { what, path, owners } = record.change;
      return [`${what} ${Buffer.from(path).toString()} ${owners.was}>${owners.now}`];
    })
    .sort();
}

describe.runIf(process.getuid?.() === 0).each(VIEWS)('owners on %s, as root', (_view, options) => {
  it('are those that the command gave, and are listed', async () => {
    const end = await run('chown 56:78 f d/sub; chown -h 56:78 l; chown 0:0 d; install -o 9 -g 10 f new', {
      options,
    });
    expect(end.answer, end.stderr).toBe('committed');
    expect(given(end)).toEqual([
      'changed l 0:0>56:78',
      'metadata d 12:34>0:0',
      'metadata d/sub 0:0>56:78',
      'metadata f 0:0>56:78',
    ]);
    expect(['f', 'd', 'd/sub', 'l', 'new', 'd/x'].map(ownerOf)).toEqual([
      ...['56:78', '0:0', '56:78', '56:78', '9:10', '12:34'],
    ]);
  });

  it('stay when content changes, in folders of others, too; nothing but the change is listed', async () => {
    const end = await run('stat -c %u:%g . d d/x; echo more >> d/x; touch d/new', { options });
    expect(end.stdout).toBe('0:0\n12:34\n12:34\n');
    expect(end.answer).toBe('committed');
    expect(given(end)).toEqual([]);
    expect(end.records.filter((record) => record.startsWith('change '))).toHaveLength(2);
    expect(['d', 'd/x', 'd/new'].map(ownerOf)).toEqual(['12:34', '12:34', '0:0']);
  });

  it('stay as they were if the changes are dropped', async () => {
    const before = folderState(work);
    const end = await run('chown -R 56:78 .', { options, verdict: 'drop' });
    expect(given(end)).toHaveLength(6);
    expect(folderState(work)).toBe(before);
  });

  it('take no set-user bit along [FT08]', async () => {
    chmodSync(`${work}/d/x`, 0o4755);
    const end = await run('chown 0:0 d/x; chmod u+s d/x', { options });
    expect(end.answer).toBe('committed');
    expect(ownerOf('d/x')).toBe('0:0');
    expect(lstatSync(`${work}/d/x`).mode & 0o7777).toBe(0o755);
  });

  it('are those of the working folder where it belongs to another user', async () => {
    chownSync(work, 12, 34);
    expect((await run('stat -c %u:%g .', { options })).stdout).toBe('12:34\n');
    expect(ownerOf('.')).toBe('12:34');
  });
});

describe.runIf(process.getuid?.() === 0)('an ordinary user', () => {
  it('can give nothing away', async () => {
    for (const name of ['.', 'f', 'd', 'd/sub']) chownSync(`${work}/${name}`, NOBODY, NOBODY);
    const through = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
    const end = await run('chown 12:34 f || echo refused; echo x > d/made', { through, owner: NOBODY });
    expect(end.stdout, end.stderr).toBe('refused\n');
    expect(end.answer).toBe('committed');
    expect(['f', 'd/made'].map(ownerOf)).toEqual([`${NOBODY}:${NOBODY}`, `${NOBODY}:${NOBODY}`]);
  });
});
