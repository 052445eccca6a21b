import { describe, expect, it } from 'vitest';
import { decide, rulesOf } from './testing.ts';

describe('an option that leads a program to another folder counts as that folder', () => {
  it.each([
    'tar -C /etc -cf all.tar shadow',
    'tar cCf /etc all.tar shadow',
    'tar -cf all.tar -C / -C etc shadow',
    'tar --create --directory=/home/ada --file all.tar .aws',
    'tar -C/home/ada -cf - .gnupg | wc -c',
    'env -C /etc cat shadow',
    'env --chdir=/home/ada/.ssh cat id_ed25519',
    'sudo -D /etc cat shadow',
  ])('%s [H2]', (command) => {
    expect(rulesOf(command)).toContain('credentials-read');
  });

  it.each([
    'tar -C build -czf build.tgz .',
    'tar xzf all.tgz -C build --strip-components 1',
    'env -C src ls',
    'git -C packages/core log --oneline',
    'git -C packages/core reset --hard HEAD~1',
  ])('%s stays in the working folder', (command) => {
    expect(decide(command)).toBe('allow');
  });

  it('asks before work of another folder is discarded, however it is named', () => {
    expect(decide('git reset --hard')).toBe('allow');
    for (const command of [
      'git -C ../other reset --hard',
      'git -C packages -C ../.. reset --hard',
      'git --work-tree=/srv/site reset --hard',
      'git --work-tree /srv/site reset --hard',
      'cd /srv/site && git reset --hard',
      'git -C "$somewhere" reset --hard',
    ])
      expect(rulesOf(command), command).toContain('discard');
  });
});

describe('commands that only print a plan are not asked about', () => {
  it.each([
    'git clean -n',
    'git clean -ndx',
    'git clean -fd --dry-run',
    'git push --dry-run',
    'git push -n origin',
  ])('%s', (command) => {
    expect(decide(command)).toBe('allow');
  });

  it.each([
    'git clean -fd',
    'git clean -fd -- -n',
    'git clean -f -e -n',
    'git push',
    'git push -o -n origin',
    'git push -on origin',
    'git push origin --no-verify',
  ])('%s only looks like that', (command) => {
    expect(decide(command)).toBe('escalate');
  });
});
