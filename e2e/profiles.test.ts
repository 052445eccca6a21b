import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

const list = async () => JSON.parse((await stage().cli(['profile', 'list', '--json'])).stdout);
const folder = (name: string) => `${stage().layout.profiles}/${name}`;

describe('bulkhead profile', () => {
  it('makes another agent of the same home: its own texts and memory, from the next start [I1]', async () => {
    const server = await stage().model([{ text: 'one' }, { text: 'two' }], {
      models: 'title: { provider: offline, model: rules },',
    });
    mkdirSync(folder('default'), { recursive: true, mode: 0o700 });
    writeFileSync(`${folder('default')}/IDENTITY.md`, 'You are Ada of the default profile.');
    await stage().cli(['run', 'hello']);
    await stage().cli(['memory', 'add', 'The harbour opens at noon.']);
    const made = await stage().cli(['profile', 'create', 'work', '--from', 'default']);
    expect([made.code, made.stdout]).toEqual([0, `${folder('work')}\n`]);
    expect(existsSync(`${folder('work')}/MEMORY.md`)).toBe(false);
    writeFileSync(`${folder('work')}/IDENTITY.md`, 'You are Grace of the work profile.');
    const used = await stage().cli(['profile', 'use', 'work']);
    expect(used.stderr).toContain('bulkhead restart');
    await stage().cli(['restart']);
    await stage().cli(['run', '--profile', 'work', 'hello']);
    const [before, after] = server.requests.map(({ bodyText }) => bodyText);
    expect([before?.includes('Ada of the default'), after?.includes('Ada of the default')]).toEqual([
      true,
      false,
    ]);
    expect(after).toContain('Grace of the work');
    const found = await stage().cli(['memory', 'search', 'harbour', '--json']);
    expect([found.code, found.stdout.includes('opens at noon')]).toEqual([0, false]);
    expect((await list()).map((one: { name: string; inUse: boolean }) => [one.name, one.inUse])).toEqual([
      ['default', false],
      ['work', true],
    ]);
    const other = await stage().cli(['run', '--profile', 'default', 'hello']);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('the profile in use is "work"')]);
    await stage().cli(['profile', 'use', 'default']);
    await stage().cli(['restart']);
    const again = await stage().cli(['memory', 'search', 'harbour', '--json']);
    expect(again.stdout).toContain('opens at noon');
  });

  it('deletes none without confirmation, and never the one in use [I1]', async () => {
    await stage().cli(['profile', 'create', 'work']);
    const asked = await stage().cli(['profile', 'delete', 'work']);
    expect([asked.code, asked.stderr]).toEqual([3, expect.stringContaining('add --yes')]);
    expect(existsSync(folder('work'))).toBe(true);
    await stage().cli(['start', '--daemon']);
    await stage().cli(['profile', 'use', 'work']);
    const inUse = await stage().cli(['profile', 'delete', 'work', '--yes']);
    expect([inUse.code, inUse.stderr]).toEqual([1, expect.stringContaining('in use')]);
    await stage().cli(['restart']);
    await stage().cli(['profile', 'use', 'default']);
    const running = await stage().cli(['profile', 'delete', 'work', '--yes']);
    expect([running.code, running.stderr]).toEqual([1, expect.stringContaining('bulkhead restart')]);
    expect(existsSync(folder('work'))).toBe(true);
    await stage().cli(['restart']);
    const gone = await stage().cli(['profile', 'delete', 'work', '--yes', '--json']);
    expect([gone.code, JSON.parse(gone.stdout)]).toEqual([0, { name: 'work', deleted: true }]);
    expect(existsSync(folder('work'))).toBe(false);
    const last = await stage().cli(['profile', 'delete', 'default', '--yes']);
    expect([last.code, existsSync(folder('default'))]).toEqual([1, true]);
  });

  it('does not start with a profile that is not there, and refuses what is no name', async () => {
    stage().configure('profile: wrok\n');
    const started = await stage().cli(['start', '--daemon']);
    expect([started.code, started.stderr]).toEqual([
      1,
      expect.stringContaining('there is no profile "wrok"'),
    ]);
    stage().configure('');
    for (const name of ['../x', '.hidden', 'Work', 'a/b', '']) {
      const { code } = await stage().cli(['profile', 'create', name]);
      expect([name, code]).toEqual([name, 2]);
    }
    const none = await stage().cli(['profile', 'use', 'wrok']);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('there is no profile')]);
  });
});
