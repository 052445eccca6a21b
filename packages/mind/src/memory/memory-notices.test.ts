import { expect, it } from 'vitest';
import { MemoryNotices } from './memory-notices.ts';

it('tells each once, and shows no more than a person reads [M1]', () => {
  const logged: string[] = [];
  const notices = new MemoryNotices((notice) => logged.push(notice));
  for (const notice of ['a', 'b', 'a']) notices.tell(notice);
  expect(notices.all).toEqual(['a', 'b']);
  expect(logged).toEqual(['a', 'b']);
  for (let at = 0; at < 100; at += 1) notices.tell(`c${at}`);
  expect(notices.all).toHaveLength(16);
});
