import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gitIdentity } from './git-identity.ts';
import { gitUser } from './git-user.ts';

describe('who commits, by a git configuration', () => {
  it.each<[string, string, object]>([
    [
      'the usual',
      '[user]\n\tname = Ada Example\n\temail = ada@example.org\n',
      { name: 'Ada Example', email: 'ada@example.org' },
    ],
    ['any case, quotes and a remark', '[USER]\nName = "Ada; E." # me\n', { name: 'Ada; E.' }],
    ['behind its section', '[user] name = Ada', { name: 'Ada' }],
    ['the last one', '[user]\nname=A\n[core]\nname=C\n[user]\nname=B', { name: 'B' }],
    ['escapes', '[user]\nname = "A \\"B\\" \\\\ C"', { name: 'A "B" \\ C' }],
    ['no other section', '[user "x"]\nname = A\n[author]\nname = B\nname.x = C', {}],
    ['nothing that is included', '[include]\npath = other\n', {}],
    ['no line that goes on', '[user]\nname = A \\\nB', {}],
    ['no open quote', '[user]\nname = "A', {}],
    ['nothing that could set an address apart', '[user]\nname = A <b@c>\nemail = a\u0007b', {}],
    ['nothing long', `[user]\nname = ${'A'.repeat(201)}`, {}],
  ])('%s', (_what, text, user) => {
    expect(gitUser(text)).toEqual(user);
  });

  it('is a plain line or nothing, for any text, in little time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { name = 'a' } = gitUser(`[user]\nname = ${text}`);
        expect(name).toMatch(/^[^\p{C}<>]{1,200}$/u);
      }),
    );
    const start = process.cpuUsage();
    for (const unit of ['[', '[user] ', ' ', '"', '\\']) gitUser(unit.repeat(300_000));
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(500);
  });
});

describe('the environment by which git knows who commits', () => {
  it('is of the person, but for what the repository says itself', async () => {
    const root = mkdtempSync(join(tmpdir(), 'bulkhead-git-'));
    try {
      mkdirSync(join(root, 'work/.git'), { recursive: true });
      writeFileSync(join(root, '.gitconfig'), '[user]\nname = Ada\nemail = ada@example.org\n');
      writeFileSync(join(root, 'work/.git/config'), '[user]\nemail = ada@work.example\n');
      expect(await gitIdentity(root, join(root, 'work'))).toEqual({
        GIT_AUTHOR_NAME: 'Ada',
        GIT_COMMITTER_NAME: 'Ada',
      });
      expect(await gitIdentity(undefined, join(root, 'work'))).toEqual({});
      expect(await gitIdentity(join(root, 'nobody'), join(root, 'work'))).toEqual({});
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
