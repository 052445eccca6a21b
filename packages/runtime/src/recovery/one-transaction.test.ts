import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLabelTables } from '@bulkhead/actions/flow/label-tables';
import { createCallerTables } from '@bulkhead/log/callers/caller-tables';
import { openTables } from '@bulkhead/sessions/testing';
import { shareOfNumbers } from '@bulkhead/testkit/sweep';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const CHILD = [
  '--experimental-transform-types',
  '--disable-warning=ExperimentalWarning',
  join(import.meta.dirname, 'one-transaction.child.ts'),
];
const SECRET = { secrecy: 'restricted', trust: 'external' } as const;

let folder: string;
const path = () => join(folder, 'bulkhead.db');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-together-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open() {
  const opened = openTables(path());
  const callers = createCallerTables(opened.tables, { confirmed: () => 1 }, () => undefined);
  return { ...opened, callers, labels: createLabelTables(opened.tables) };
}

/** The recorded parts of the change. */
const FACTS = {
  create: ({ store, callers }: ReturnType<typeof open>) => [
    store.getSession('made') !== undefined,
    callers.isOfProgram('made'),
  ],
  delete: ({ store, callers, labels }: ReturnType<typeof open>) => [
    store.getSession('old') === undefined,
    !callers.isOfProgram('old'),
    callers.responseOf('program', 'r') === undefined,
    labels.of('session').get('old') === undefined,
    labels.history.toldUpTo('old') === 0,
    labels.history.met('old', 7) === undefined,
  ],
  label: ({ labels }: ReturnType<typeof open>) => [
    labels.of('file').get('/w/a') !== undefined,
    labels.history.met('old', 8) !== undefined,
    labels.history.toldUpTo('old') === 8,
    labels.displaced.before(['a'], '/w/a') !== undefined,
  ],
};

function makeHome(): void {
  using home = open();
  const { store, callers, labels } = home;
  store.createSession({ id: 'old', workingFolder: '/w', time: 1 });
  callers.keep('program', 'old', 'old');
  callers.keepResponse('program', 'r', { sessionId: 'old', time: undefined });
  labels.of('session').set('old', SECRET);
  labels.history.tell('old', 7);
  labels.history.meet('old', 7, SECRET);
}

describe('a process that is killed at any step', () => {
  it.each([
    ['makes a program’s session with whose it is, or none', 'create', 2],
    ['deletes a session with its labels and names, or keeps them all', 'delete', 10],
    ['labels a file with how far the log was told, or neither', 'label', 8],
  ] as const)(
    '%s [FT82] [FT100] [D4]',
    (_what, change, steps) => {
      makeHome();
      const before = `${folder}-before`;
      cpSync(folder, before, { recursive: true });
      try {
        // The last step that can be killed, and the end: both always.
        for (const step of [...shareOfNumbers(1, steps, 2), steps, steps + 1]) {
          rmSync(folder, { recursive: true });
          cpSync(before, folder, { recursive: true });
          const run = spawnSync(process.execPath, [...CHILD, path(), change, String(step)], {
            encoding: 'utf8',
          });
          const isKilled = step <= steps;
          expect([step, run.signal, run.stdout]).toEqual([
            step,
            isKilled ? 'SIGKILL' : null,
            isKilled ? '' : 'done',
          ]);
          using home = open();
          const facts = FACTS[change](home);
          expect([step, facts]).toEqual([step, facts.map(() => !isKilled)]);
        }
      } finally {
        rmSync(before, { recursive: true, force: true });
      }
    },
    240_000,
  );
});
