import { describe, expect, it } from 'vitest';
import { decide, rulesOf } from './testing.ts';

describe('a pattern for every hidden name of a home reads the secrets there', () => {
  it.each([
    'cat ~/.*',
    'cat ~/.[!.]*',
    'cp -r ~/.??* /tmp/copy',
    'cat /root/.[a-z]*',
    'tar czf all.tgz ~/.[^.]*',
    'cd ~ && cat .*',
    'cat ~/.*/credentials',
  ])('%s [H2]', (command) => {
    expect(rulesOf(command)).toContain('credentials-read');
  });

  it.each(['ls -d ~/.*', 'du -sh ~/.[!.]*', 'cat .[!.]*', 'ls src/.*', 'rm build/.*.swp'])(
    '%s does not',
    (command) => {
      expect(decide(command)).toBe('allow');
    },
  );
});
