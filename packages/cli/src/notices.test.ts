import { describe, expect, it } from 'vitest';
import { addressNotices, chatNotices } from './notices.ts';

const NOTICES = [
  'no key: the offline model answers',
  'not set up: model evaluator (models.shield); you are asked in its place',
  'port 7411 on 127.0.0.1 is taken by another program: http://127.0.0.1:9 is used instead.',
];

describe('notices', () => {
  it('go where they concern somebody', () => {
    expect(chatNotices(NOTICES)).toEqual(NOTICES.slice(0, 1));
    expect(addressNotices(NOTICES)).toEqual(NOTICES.slice(2));
  });
});
