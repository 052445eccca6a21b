import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { durably } from './durably.ts';

const FULL = 2;
const NORMAL = 1;

let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec('PRAGMA synchronous = NORMAL; CREATE TABLE t (x INTEGER)');
});
afterEach(() => database.close());

const synchronous = () => database.prepare('PRAGMA synchronous').get()?.['synchronous'];
const rows = () => database.prepare('SELECT x FROM t').all().length;

describe('a durable change', () => {
  it('is flushed, and only it [F2]', () => {
    let during: unknown;
    durably(database, () => {
      during = synchronous();
      database.exec('INSERT INTO t VALUES (1)');
    });
    expect([during, synchronous(), rows()]).toEqual([FULL, NORMAL, 1]);
  });

  it('is made whole or not at all, and the next is made as ever', () => {
    const half = () => {
      database.exec('INSERT INTO t VALUES (1)');
      throw new Error('no further');
    };
    expect(() => durably(database, half)).toThrow('no further');
    expect([synchronous(), rows()]).toEqual([NORMAL, 0]);
    durably(database, () => database.exec('INSERT INTO t VALUES (2)'));
    expect(rows()).toBe(1);
  });
});
