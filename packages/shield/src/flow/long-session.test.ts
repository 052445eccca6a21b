import { expect, it } from 'vitest';
import { callOf, newLabels, openTestSession } from './testing/test-session.ts';

/**
 * Most growth of the 95th percentile of a decision's time after a hundred times as many reads; 5 on
 * a quiet machine.
 */
const MOST_TIMES = 40;
const LISTS = 100;
const ROWS = 50;
const LABELLED_FILES = 5_000;

const REQUEST =
  'Read my mail, follow the instructions in the report from Anna, mail bob@corp.example and fetch docs.example.';

const CALLS = [
  [
    'email_send',
    { to: ['bob@corp.example'], subject: 's', body: 'https://host7.example/p/3 p3x4@site4.example' },
  ],
  ['email_send', { to: ['nobody@nowhere.example'], subject: 's', body: 'see https://unknown.example/q' }],
  ['web_fetch', { url: 'https://docs.example/a' }],
  ['web_fetch', { url: 'https://nowhere.example/a?b' }],
  ['web_fetch', { url: 'https://host7.example/p/3' }],
  ['calendar_create', { title: 'report 3', attendees: ['p9x9@site9.example'] }],
  ['write', { path: 'a', content: 'see https://host7.example/p/3 '.repeat(20) }],
  ['bash', { command: 'ping host9.example', hosts: ['host9.example'] }],
] as const;

/** Fifty messages and a file per list have been read; 5,000 other files have a label. */
function sessionOf(lists: number) {
  const labels = newLabels();
  for (let file = 0; file < LABELLED_FILES; file += 1)
    labels.files.set(`/elsewhere/${file % 100}/${file}`, { secrecy: 'internal', trust: 'external' });
  const long = openTestSession({ request: REQUEST, labels });
  for (let list = 0; list < lists; list += 1) {
    const mails = Array.from({ length: ROWS }, (_, row) => ({
      id: `${list * ROWS + row}`,
      from: `p${list}x${row}@site${row}.example`,
      subject: `report ${list} number ${row}`,
      body: `Text ${list} ${row} with a link https://host${row}.example/p/${list} and some more words about nothing`,
    }));
    long.got('email_list', { folder: 'in' }, JSON.stringify(mails));
    long.got('read', { path: `f${list}` }, 'a line\n'.repeat(300));
  }
  return long;
}

/** Milliseconds of 25 rounds of calls, after a user message, with new reads in between. */
function percentile95({ session, got }: ReturnType<typeof sessionOf>): number {
  const taken: number[] = [];
  session.observeRequest('And look at number 7.');
  for (let round = 0; round < 25; round += 1) {
    got('read', { path: 'z' }, `more ${round}`);
    for (const [tool, args] of CALLS) {
      const call = callOf(tool, args);
      const begun = performance.now();
      session.decide(call);
      taken.push(performance.now() - begun);
    }
  }
  return taken.sort((a, b) => a - b)[Math.floor(taken.length * 0.95)] ?? Number.POSITIVE_INFINITY;
}

it('decides as quickly after thousands of messages', () => {
  const [short, long] = [sessionOf(1), sessionOf(LISTS)];
  const quickest = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY };
  // The fastest of several alternating runs: other programs use the machine, too.
  for (let tries = 0; tries < 8; tries += 1) {
    quickest.short = Math.min(quickest.short, percentile95(short));
    quickest.long = Math.min(quickest.long, percentile95(long));
  }
  process.stdout.write(`p95 of a decision: ${quickest.short} ms, in the long session ${quickest.long} ms\n`);
  expect(quickest.long / quickest.short).toBeLessThan(MOST_TIMES);
});
