import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventually } from './testing/box-fixture.ts';
import { beginQuiet, QUIET_WAIT_MS as WAIT_MS } from './testing/quiet-command.ts';
import { useSession } from './testing/use-session.ts';

const at = useSession();
const { path, read } = at;

/** Each attempt has a control, which shows that it works where nothing is at stake. */
describe('a hostile background command', { timeout: WAIT_MS }, () => {
  it('leads nothing out of the folder by a link that takes a folder’s place while that is kept [B2] [A2]', async () => {
    const outside = `${at.fixture.folder}/beside-quiet`;
    mkdirSync(outside);
    writeFileSync(`${outside}/victim`, 'mine');
    const one = await beginQuiet(at);
    await one.does('mkdir out; echo its > out/victim; echo its > out/new');
    const swap = `mv out away; ln -s ${outside} out`;
    await one.quiet();
    expect((await one.later.listQuiet())?.changes).toHaveLength(3);
    await one.does(swap);
    expect(await one.later.settleQuiet(true)).toEqual({ type: 'committed' });
    expect(read('out/victim')).toBe('its\n');
    // The control: it did take the place.
    expect(await one.does('readlink out')).toBe(`${outside}\n`);
    const next = await one.settlesQuietly(false);
    expect(next?.changes).toContain('replaced out');
    await one.does('rm out; mv away out; echo more > out/victim');
    expect(await one.settle()).toMatchObject({ type: 'committed', changes: ['changed out/victim'] });
    expect(readdirSync(outside)).toEqual(['victim']);
    expect(readFileSync(`${outside}/victim`, 'utf8')).toBe('mine');
  });

  it('has no half of a change kept: while it writes on, nothing is, and no one waits for it [B2]', async () => {
    const one = await beginQuiet(at);
    await one.does('echo a > a');
    await one.quiet();
    await one.does('while :; do echo $RANDOM > a; echo $RANDOM > b; done & writer=$!');
    for (let tries = 0; tries < 20; tries += 1) expect(await one.later.listQuiet()).toBeUndefined();
    expect(readdirSync(at.fixture.work)).toEqual([]);
    // The control: the same is kept once it rests.
    await one.does('kill $writer; wait; echo 1 > a; echo 2 > b');
    expect(await one.settlesQuietly()).toMatchObject({
      type: 'committed',
      changes: ['created a', 'created b'],
    });
    expect([read('a'), read('b')]).toEqual(['1\n', '2\n']);
    await one.settle();
  });

  it('can’t make a change of the person its own by what it wrote before [B2]', async () => {
    const one = await beginQuiet(at);
    await one.does('echo its > file; echo its > other');
    await one.settlesQuietly();
    writeFileSync(path('file'), 'by the person');
    await one.later.show();
    // The view has the person's; written again, it is a change, and nothing else is.
    await one.does('cat file > copy; echo its > file');
    const settled = await one.settle();
    expect(settled.changes).toEqual(['changed file', 'created copy']);
    expect([read('copy'), read('other')]).toEqual(['by the person', 'its\n']);
  });

  it('keeps no one else out: what it has open for ever is left to its end, and the end is not held up [B2]', async () => {
    const one = await beginQuiet(at);
    await one.does('exec 7> held; echo its > made');
    expect(await eventually(() => one.moments() > 0, 5_000)).toBe(false);
    expect(await one.settle()).toMatchObject({
      type: 'committed',
      changes: ['created held', 'created made'],
    });
  });
});
