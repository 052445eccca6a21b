import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { settledOf } from './support/event-lines.ts';
import { OFFLINE_TITLES } from './support/stage.ts';
import { useStage } from './support/use-stage.ts';
import { sentMessages } from './support/wire-history.ts';

const stage = useStage();

/** A database that the last release with version 1 wrote: sessions `s`, `other` and `empty`. */
const VERSION_1 = fileURLToPath(
  new URL('../packages/sessions/src/sqlite/fixtures/version-1.db', import.meta.url),
);

const PAGE = 4_096;

function placeVersion1(): void {
  const { database } = stage().layout;
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
  copyFileSync(VERSION_1, database);
}

function versionOf(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare('PRAGMA user_version').get()?.['user_version'];
  } finally {
    database.close();
  }
}

async function say(prompt: string, session?: string): Promise<string> {
  const own = session === undefined ? [] : ['--session', session];
  const { code, events } = await stage().cli(['run', '--json', ...own, prompt]);
  expect(code).toBe(0);
  return settledOf(events).session;
}

describe('a database of an earlier version', () => {
  it('is brought forward with a copy beside it; its data is kept, and new sessions work [D4] [FT100]', async () => {
    placeVersion1();
    await stage().model([{ text: 'new and well' }]);
    expect(await stage().cli(['run', 'hello'])).toMatchObject({ code: 0, stdout: 'new and well\n' });
    const backup = `${stage().layout.database}.v1.bak`;
    expect(versionOf(backup)).toBe(1);
    const listed: { session: string; title: string; messages: number }[] = JSON.parse(
      (await stage().cli(['sessions', 'list', '--json'])).stdout,
    );
    expect(listed).toHaveLength(4);
    expect(listed).toContainEqual(expect.objectContaining({ session: 's', title: 'about s', messages: 3 }));
    const hits: { session: string }[] = JSON.parse(
      (await stage().cli(['sessions', 'search', 'needle', '--json'])).stdout,
    );
    expect(hits.map(({ session }) => session).toSorted()).toEqual(['other', 's']);
    expect((await stage().cli(['stop'])).code).toBe(0);
    expect(versionOf(stage().layout.database)).toBe(5);
    const kept = readFileSync(backup);
    await stage().cli(['start', '--daemon']);
    expect(readFileSync(backup).equals(kept)).toBe(true);
  });

  it('can be had back from the copy: it is what the earlier version wrote [D4] [FT100]', async () => {
    placeVersion1();
    expect((await stage().cli(['start', '--daemon'])).code).toBe(0);
    await stage().cli(['stop']);
    const rows = (path: string) => {
      const database = new DatabaseSync(path, { readOnly: true });
      const all = ['sessions', 'records'].map((table) => database.prepare(`SELECT * FROM ${table}`).all());
      database.close();
      return all;
    };
    expect(rows(`${stage().layout.database}.v1.bak`)).toEqual(rows(VERSION_1));
  });
});

describe('a database of a later version', () => {
  it('is refused in one line that says so, and left byte for byte [D4] [FT100]', async () => {
    await stage().model([{ text: 'hi' }]);
    await say('hello');
    await stage().cli(['stop']);
    const { database: path } = stage().layout;
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 99');
    database.close();
    const before = readFileSync(path);
    for (const command of [
      ['start', '--daemon'],
      ['run', 'hello'],
      ['sessions', 'list'],
    ]) {
      const { code, stdout, errors } = await stage().cli(command);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      if (command[0] !== 'sessions') {
        expect(errors).toEqual([
          expect.stringMatching(/bulkhead\.db has version 99.*knows up to 5.*newer version/),
        ]);
      }
    }
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(dirname(path)).filter((name) => name.includes('.bak'))).toEqual([]);
    // A look at it may leave a log without content.
    expect(existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`).byteLength : 0).toBe(0);
  });
});

describe('a page of the database that was changed on the disk', () => {
  /**
   * Turns every bit of the page in which the middle of a long text lies: it holds nothing else.
   *
   * @param from 4 spares the number of the page the text goes on in: then SQLite finds nothing wrong
   */
  function turnPageOf(word: string, from = 0): void {
    const { database: path } = stage().layout;
    const bytes = readFileSync(path);
    // The last copy in the file is the entry of the conversation; before it stands what was accepted.
    const at = bytes.lastIndexOf(word.repeat(50));
    if (at < 0) throw new Error('no such text');
    const start = (Math.floor(at / PAGE) - 4) * PAGE;
    bytes.subarray(start + from, start + PAGE).forEach((byte, index, page) => {
      page[index] = byte ^ 0xff;
    });
    writeFileSync(path, bytes);
  }

  it('closes the session it is in, and says so; the others go on [FT82] [D4]', async () => {
    const server = await stage().model(() => ({ text: 'well' }), { models: OFFLINE_TITLES });
    const sound = await say('a sound question');
    const broken = await say(`a long question ${'stuff-'.repeat(8_000)}`);
    await stage().cli(['stop']);
    turnPageOf('stuff-');

    const refused = await stage().cli(['run', '--session', broken, 'are you there?']);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' });
    expect(refused.errors).toEqual([expect.stringContaining('damaged')]);
    for (const verb of [
      ['show', broken],
      ['export', broken],
      ['fork', broken],
    ]) {
      const { code, errors } = await stage().cli(['sessions', ...verb]);
      expect({ code, errors }).toEqual({ code: 1, errors: [expect.stringMatching(/damaged/)] });
    }
    expect(await say('go on', sound)).toBe(sound);
    expect(sentMessages(server.requests.at(-1) ?? noRequest()).map(({ text }) => text)).toEqual([
      ...['a sound question', 'well', 'go on'],
    ]);
    await say('a new session');
    const listed: { session: string; damage: string }[] = JSON.parse(
      (await stage().cli(['sessions', 'list', '--json'])).stdout,
    );
    expect(listed.filter(({ damage }) => damage !== '').map(({ session }) => session)).toEqual([broken]);
    expect((await stage().cli(['sessions', 'list'])).stdout).toContain('damaged');
    const hits: unknown[] = JSON.parse(
      (await stage().cli(['sessions', 'search', 'question', '--json'])).stdout,
    );
    expect(hits).toMatchObject([{ session: sound }]);

    await stage().cli(['restart']);
    expect((await stage().cli(['run', '--session', broken, 'and now?'])).code).toBe(1);
    expect(await say('still', sound)).toBe(sound);
  });

  it('does not keep its session from being deleted [FT82]', async () => {
    await stage().model(() => ({ text: 'well' }), { models: OFFLINE_TITLES });
    const broken = await say(`a long question ${'stuff-'.repeat(8_000)}`);
    await stage().cli(['stop']);
    turnPageOf('stuff-', 4);
    await stage().cli(['start', '--daemon']);
    await stage().cli(['sessions', 'show', broken]);
    const { code, stderr } = await stage().cli(['sessions', 'delete', broken, '--yes']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse((await stage().cli(['sessions', 'list', '--json'])).stdout)).toEqual([]);
  });
});

function noRequest(): never {
  throw new Error('there was no such request');
}
