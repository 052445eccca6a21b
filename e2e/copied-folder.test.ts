import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { SharingDisk } from '@bulkhead/testkit/disk';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType } from './support/event-lines.ts';
import { Stage } from './support/stage.ts';
import { Talk } from './support/talk.ts';
import { unjudgedCommands } from './support/unjudged-commands.ts';
import { until } from './support/until.ts';
import { bash } from './support/waiting-command.ts';

/*
 * Home and working folder lie on an overlay, as a container's own file system does: no overlay can be made there, and every
 * command works on a copy. The disk below shares blocks, so the folder may be larger than what would ever be copied.
 */
const MIB = 1024 ** 2;
const LARGE_MIB = 72;

let disk: SharingDisk | undefined;
let place: string | undefined;
beforeAll(() => {
  disk = SharingDisk.open('xfs') ?? SharingDisk.open('btrfs');
  place = disk?.overlaid();
});
afterAll(() => disk?.[Symbol.dispose]());

/** A stage there, or a test that says it proves nothing. */
function stageOr(skip: TestContext['skip']): Stage {
  if (place === undefined)
    skip(
      'no disk that shares blocks can be made here (root, loop devices, mkfs.xfs or mkfs.btrfs): nothing is proved',
    );
  return new Stage(place);
}

/** Says so when it begins, and waits until the file `go` is in its copy; no other folder can tell it anything. */
const WAITING = 'echo begun; until ls | grep -qx go; do sleep 0.02; done; rm go';

/** The copies that commands work on just now. */
function copies({ layout }: Stage): readonly string[] {
  return readdirSync(layout.scratch)
    .map((action) => join(layout.scratch, action, 'box/work'))
    .filter((folder) => existsSync(join(folder, 'both.txt')));
}

describe('a session whose commands run on a copy', () => {
  it('keeps and drops what they did as a whole, renames folders, and can be taken back [B2] [U2] [FT90]', async ({
    skip,
  }) => {
    await using stage = stageOr(skip);
    stage.write('large', 'x'.repeat(LARGE_MIB * MIB));
    stage.write('old.txt', 'old\n');
    stage.write('gone/a.txt', 'a');
    stage.write('folder/b.txt', 'b');
    const config = unjudgedCommands(stage);
    const commands = [
      'echo new > new.txt; echo more >> old.txt; rm -r gone; ln -s new.txt link; chmod 700 old.txt; echo y >> large',
      `perl -e 'rename("folder", "renamed") or die $!'; exit 3`,
      'mkdir .vscode; echo {} > .vscode/tasks.json; echo fine > fine.txt; rm renamed/b.txt',
      'cat renamed/b.txt; ls -A',
    ];
    await stage.model([...commands.map((command) => ({ toolCalls: [bash(command)] })), { text: 'done' }], {
      config,
    });
    const { events } = await stage.cli(['run', '--json', 'go']);
    expect(grammarProblems(events)).toEqual([]);
    // One question, after the command: a folder that holds nothing back asks before every one.
    expect(ofType(events, 'approval_requested')).toMatchObject([
      { shown: expect.stringContaining('It has run, and ended with 0. Keep its changes?') },
    ]);
    expect(ofType(events, 'action_completed').map(({ effects }) => effects?.kept)).toEqual([
      true,
      true,
      false,
      true,
    ]);
    const outputs = ofType(events, 'tool_output').map(({ text }) => text);
    expect(outputs[0]).toContain('[files: 2 created, 2 changed, 2 deleted]');
    expect(outputs[2]).toContain('[nothing it changed was kept: ');
    expect(outputs[3]).toContain('b');
    expect(readdirSync(stage.folder).toSorted()).toEqual(['large', 'link', 'new.txt', 'old.txt', 'renamed']);
    expect(stage.read('old.txt')).toBe('old\nmore\n');
    expect(statSync(join(stage.folder, 'old.txt')).mode & 0o777).toBe(0o700);
    expect(statSync(join(stage.folder, 'large')).size).toBe(LARGE_MIB * MIB + 2);
    expect(stage.read('renamed/b.txt')).toBe('b');
    // Of every command only its outcome stays, and of the trial nothing.
    for (const action of readdirSync(stage.layout.scratch))
      expect(readdirSync(join(stage.layout.scratch, action, 'box'))).not.toContain('work');

    const entries: readonly { readonly id: string }[] = JSON.parse(
      (await stage.cli(['chronicle', 'list', '--json'])).stdout,
    );
    const undone = await stage.cli(['chronicle', 'rollback', entries[0]?.id ?? '', '--turn', '--json']);
    expect(JSON.parse(undone.stdout)).toMatchObject({ done: true, conflicts: [] });
    expect(readdirSync(stage.folder).toSorted()).toEqual(['folder', 'gone', 'large', 'old.txt']);
    expect([stage.read('old.txt'), stage.read('gone/a.txt'), stage.read('folder/b.txt')]).toEqual([
      'old\n',
      'a',
      'b',
    ]);
    expect(statSync(join(stage.folder, 'large')).size).toBe(LARGE_MIB * MIB);
    const doctor = await stage.cli(['doctor']);
    expect(doctor.stdout).toContain('commands run on a copy of their folder');
  });

  it('loses nothing of what a person does meanwhile, and says whose change stands in the way [B2]', async ({
    skip,
  }) => {
    await using stage = stageOr(skip);
    stage.write('both.txt', 'as it was');
    stage.write('theirs.txt', 'as it was');
    const calls = ['both.txt', 'mine.txt'].map((name) => ({
      toolCalls: [bash(`echo agent > ${name}; echo x > other.txt; ${WAITING}`)],
    }));
    await stage.model([...calls, { text: 'done' }]);
    await using talk = await Talk.begin(stage);
    await talk.send('go');
    for (const [index, name] of ['both.txt', 'theirs.txt'].entries()) {
      const [copy = ''] = await until('a copy with the change in it', () => {
        const all = copies(stage).filter((folder) => existsSync(join(folder, 'other.txt')));
        return all.length > 0 && all;
      });
      expect(existsSync(join(stage.folder, 'other.txt'))).toBe(false);
      stage.write(name, `edited by the user ${index}`);
      writeFileSync(join(copy, 'go'), '');
      await until('its end', () => ofType(talk.events, 'tool_output').length > index);
    }
    const events = await talk.idleAfter('go');
    expect(ofType(events, 'tool_output')).toMatchObject([
      {
        isError: true,
        text: expect.stringContaining('another program changed both.txt while the command ran'),
      },
      { isError: false },
    ]);
    expect([stage.read('both.txt'), stage.read('theirs.txt')]).toEqual([
      'edited by the user 0',
      'edited by the user 1',
    ]);
    expect([stage.read('mine.txt'), stage.read('other.txt')]).toEqual(['agent\n', 'x\n']);
  });

  it('is not overwritten under a program that has it open [B2]', async ({ skip }) => {
    await using stage = stageOr(skip);
    stage.write('data.db', 'rows\n');
    const fd = openSync(join(stage.folder, 'data.db'), 'a');
    try {
      await stage.model([{ toolCalls: [bash('echo more >> data.db')] }, { text: 'done' }]);
      const { events } = await stage.cli(['run', '--json', 'go']);
      writeSync(fd, 'mine\n');
      expect(ofType(events, 'tool_output')[0]?.text).toContain('another program has data.db open');
      expect(stage.read('data.db')).toBe('rows\nmine\n');
    } finally {
      closeSync(fd);
    }
  });

  it('goes on after kill -9 of the engine: what ran on the lost copy runs again, once in effect [B2] [T8]', async ({
    skip,
  }) => {
    await using stage = stageOr(skip);
    stage.write('both.txt', 'as it was');
    await stage.model([
      { toolCalls: [bash('echo first >> log')] },
      { toolCalls: [bash(`echo second >> log; ${WAITING}`)] },
      { text: 'done' },
    ]);
    await using talk = await Talk.begin(stage);
    await talk.send('go');
    const changed = () => copies(stage).find((folder) => /second/.test(textOf(join(folder, 'log'))));
    const lost = await until('the first copy', changed);
    await stage.killEngine();
    const copy = await until('another copy', () => {
      const found = changed();
      return found !== lost && found;
    });
    expect(existsSync(lost)).toBe(false);
    expect(stage.read('log')).toBe('first\n');
    writeFileSync(join(copy, 'go'), '');
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events, { replayed: true })).toEqual([]);
    expect(talk.outcomes()).toEqual(['go completed']);
    expect(stage.read('log')).toBe('first\nsecond\n');
    expect(copies(stage)).toEqual([]);
  });
});

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
