import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTables } from '@bulkhead/sessions/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLabelTables } from './label-tables.ts';

const FOREIGN = { secrecy: 'internal', trust: 'external' } as const;
const SECRET = { secrecy: 'restricted', trust: 'workspace' } as const;
const FULL = 2;
const NORMAL = 1;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-labels-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One engine process over the labels. `commits` are the flush levels of the writes since then. */
function open() {
  const { store, tables, [Symbol.dispose]: dispose } = openTables(join(folder, 'bulkhead.db'));
  const commits: unknown[] = [];
  const write = <T>(durable: boolean, change: () => T): T =>
    tables.write(durable, () => {
      commits.push(tables.prepare('PRAGMA synchronous').get()?.['synchronous']);
      return change();
    });
  const labels = createLabelTables({ ...tables, write });
  return { labels, store, tables, commits, [Symbol.dispose]: dispose };
}

describe('the tables of labels', () => {
  it('have every label again after they were closed, kind by kind [F2]', () => {
    {
      using life = open();
      life.labels.of('file').set('/w/a', FOREIGN);
      life.labels.of('file').set('/w/gone', SECRET);
      life.labels.of('file').set('/w/gone', undefined);
      life.labels.of('file').copy('/w', '/copy');
      life.labels.of('file').move('/copy', '/moved');
      life.labels.of('session').set('/w/a', SECRET);
    }
    using again = open();
    expect(again.labels.of('file').entries()).toEqual([
      ['/moved/a', FOREIGN],
      ['/w/a', FOREIGN],
    ]);
    expect(again.labels.of('session').get('/w/a')).toEqual(SECRET);
    expect(again.labels.of('store').entries()).toEqual([]);
  });

  it('flush each change of a label, and nothing that only follows one [F2]', () => {
    using life = open();
    const { history, displaced, live } = life.labels;
    life.labels.of('file').set('/w/a', FOREIGN);
    history.tell('s', 7);
    live.put({ action: 'a', session: 's', folder: '/w', label: SECRET, since: 1 });
    expect(life.commits.splice(0)).toEqual([FULL, FULL, FULL]);
    history.tell('s', 9);
    history.meet('s', 8, FOREIGN);
    displaced.note('a', '/w/a', undefined);
    live.remove('a');
    expect(life.commits).toEqual([NORMAL, NORMAL, NORMAL, NORMAL]);
  });

  it('record everything of one message in one transaction, flushed if a part of it requires that', () => {
    using life = open();
    const { labels, commits } = life;
    labels.history.tell('s', 1);
    commits.length = 0;
    labels.together(() => {
      labels.history.meet('s', 2, FOREIGN);
      labels.history.tell('s', 2);
    });
    labels.together(() => {
      labels.of('file').set('/w/a', SECRET);
      labels.together(() => labels.history.tell('s', 3));
      expect(labels.history.toldUpTo('s')).toBe(2);
    });
    expect(labels.history.toldUpTo('s')).toBe(3);
    expect(commits).toEqual([NORMAL, FULL]);
    labels.together(() => {});
    const cut = () =>
      labels.together(() => {
        labels.history.tell('s', 4);
        throw new Error('no further');
      });
    expect(cut).toThrow('no further');
    expect(labels.history.toldUpTo('s')).toBe(4);
    expect(commits).toEqual([NORMAL, FULL, NORMAL]);
  });

  it('have the history of each session again, until the session is deleted [D4]', () => {
    {
      using life = open();
      life.store.createSession({ id: 's', workingFolder: '/w', time: 1 });
      life.labels.of('session').set('s', SECRET);
      life.labels.history.tell('s', 7);
      life.labels.history.tell('s', 9);
      life.labels.history.meet('s', 8, FOREIGN);
      life.labels.history.tell('other', 1);
    }
    {
      using again = open();
      const { history } = again.labels;
      expect(history.sessions()).toEqual(['other', 's']);
      expect(history.toldUpTo('s')).toBe(9);
      expect(history.met('s', 8)).toEqual(FOREIGN);
      again.store.deleteSession('s', 2);
      expect([history.toldUpTo('s'), history.met('s', 8)]).toEqual([0, undefined]);
      expect(history.sessions()).toEqual(['other']);
    }
    using last = open();
    expect(last.labels.of('session').get('s')).toBeUndefined();
  });

  it('refuse labels that are none', () => {
    using life = open();
    life.tables.prepare("INSERT INTO labels VALUES ('file', '/w/a', 'unheard of', 'user')").run();
    expect(() => life.labels.of('file')).toThrow(expect.objectContaining({ code: 'store_corrupt' }));
  });
});
