import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProfileSlot } from '@bulkhead/protocol/agent';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROFILE_BYTES } from './profile-files.ts';
import { ProfileTexts } from './profile-texts.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'profile-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string | Buffer): void {
  writeFileSync(join(folder, name), text);
}

describe('the texts of a profile', () => {
  it('are those of its files, the ones for the eye made plain [C2]', () => {
    write('IDENTITY.md', '# Ada\n**calm**\n');
    write('AGENTS.md', '# Rules\n- use `pnpm`\n');
    expect(new ProfileTexts(folder).read()).toMatchObject({
      texts: [
        { slot: ProfileSlot.IDENTITY, text: 'Ada\ncalm' },
        { slot: ProfileSlot.AGENTS, text: '# Rules\n- use `pnpm`' },
      ],
      notices: [],
    });
  });

  it('are none without a folder or files', () => {
    expect(new ProfileTexts(folder).read()).toEqual({ texts: [], notices: [], left: PROFILE_BYTES });
    expect(new ProfileTexts(join(folder, 'no')).read()).toEqual({
      texts: [],
      notices: [],
      left: PROFILE_BYTES,
    });
  });

  it('are read again when a file changes, and stay the same objects until then [C5]', () => {
    write('SOUL.md', 'be kind');
    const profile = new ProfileTexts(folder);
    const first = profile.read();
    expect(profile.read().texts[0]?.text).toBe(first.texts[0]?.text);
    write('SOUL.md', 'be brief and kind');
    expect(profile.read().texts[0]?.text).toBe('be brief and kind');
    rmSync(join(folder, 'SOUL.md'));
    expect(profile.read().texts).toEqual([]);
  });

  it('are bounded in all, and say where they were cut: a giant file too', () => {
    write('SOUL.md', 'é'.repeat(20_000));
    write('USER.md', 'u'.repeat(30_000));
    truncateSync(join(folder, 'USER.md'), 5_000_000_000);
    write('AGENTS.md', 'never');
    const { texts, notices, left } = new ProfileTexts(folder).read();
    expect(texts.map(({ slot }) => slot)).toContain(ProfileSlot.SOUL);
    expect(texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)).toBeLessThan(
      PROFILE_BYTES + 400,
    );
    expect(left).toBeLessThan(30_000);
    expect(notices).toContainEqual(expect.stringMatching(/^USER\.md is cut: 499\d+ bytes/));
    expect(texts.find(({ slot }) => slot === ProfileSlot.USER)?.text).toMatch(/\[cut: \d+ bytes of USER\.md/);
  });

  it('show what is hidden in them, and are valid text whatever the bytes [FT58]', () => {
    write('USER.md', 'likes tea\u{e0041}\u{e0042}\n\u202eevil');
    write('SOUL.md', Buffer.from([0x68, 0x69, 0xff, 0xfe, 0x0a]));
    const { texts, notices } = new ProfileTexts(folder).read();
    expect(texts.map(({ text }) => text)).toEqual([
      'hi\ufffd\ufffd',
      'likes tea[2 hidden characters]\n[1 hidden character]evil',
    ]);
    expect(notices).toEqual([
      'SOUL.md is not valid UTF-8: invalid bytes were replaced',
      'USER.md has 3 hidden characters, the first in line 1: they are shown as such',
    ]);
  });

  it('follow no link and read nothing that is no file', () => {
    write('elsewhere', 'secret');
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'SOUL.md'));
    mkdirSync(join(folder, 'USER.md'));
    expect(new ProfileTexts(folder).read()).toMatchObject({
      texts: [],
      notices: [
        'SOUL.md of the profile is no plain file: it is left out',
        'USER.md of the profile is no plain file: it is left out',
      ],
    });
  });
});
