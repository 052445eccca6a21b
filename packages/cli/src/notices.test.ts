import { describe, expect, it } from 'vitest';
import { chatNotices, startNotices } from './notices.ts';

const NOTICES = [
  'no key: the offline model answers',
  'not set up: model evaluator (models.shield); you are asked in its place',
  'port 7411 on 127.0.0.1 is taken by another program: http://127.0.0.1:9 is used instead.',
  'session s lost its records 3 to 9',
  'a copy of the session database as it was found is in /h',
  'the session database /h/bulkhead.db was missing and was made anew',
  'the audit log is not the one that the session database was compared with',
  'READING ONLY: nothing new is begun: the home /h is full',
];

describe('notices', () => {
  it('go where they concern somebody', () => {
    const about = { notices: NOTICES, readableAround: '' };
    expect(chatNotices(about)).toEqual([NOTICES[0], ...NOTICES.slice(3)]);
    expect(chatNotices({ ...about, readableAround: '/w/repository' }).at(-1)).toMatch(
      /^commands can read \/w\/repository around this folder/,
    );
    expect(startNotices(NOTICES)).toEqual(NOTICES.slice(2));
  });
});
