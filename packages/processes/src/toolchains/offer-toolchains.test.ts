import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as meanings from '@bulkhead/shield/analysis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { offerToolchains } from './offer-toolchains.ts';

let root: string;
let home: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-offers-')));
  home = join(root, 'ada');
  for (const folder of ['ada', 'own']) mkdirSync(join(root, folder), { mode: 0o755 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text = '#!/bin/sh\n', mode = 0o755): string {
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true, mode: 0o755 });
  writeFileSync(whole, text, { mode });
  return whole;
}

function link(path: string, target: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true, mode: 0o755 });
  symlinkSync(target, join(home, path));
}

/** Each offer with paths below the home. */
function offers() {
  const below = (path: string) => path.slice(home.length + 1);
  return offerToolchains({ home, own: join(root, 'own'), path: '' }, meanings).map((one) => ({
    place: below(one.place),
    programs: one.programs,
    folders: one.folders.map(({ path }) => below(path)),
    refused: one.refused,
  }));
}

describe('offerToolchains', () => {
  it('names the programs of each folder, and what they need', () => {
    put('.cargo/bin/cargo', 'ELF');
    put('.cargo/bin/notes.txt', 'no program', 0o644);
    put('.rustup/settings.toml', '', 0o644);
    put('.deno/bin/deno', 'ELF');
    expect(offers()).toEqual([
      { place: '.cargo/bin', programs: ['cargo'], folders: ['.cargo/bin', '.rustup'], refused: [] },
      { place: '.deno/bin', programs: ['deno'], folders: ['.deno/bin'], refused: [] },
    ]);
  });

  it('offers the rest of a folder if one program leads to private files or out of the home', () => {
    put('.local/bin/tool');
    put('.ssh/run');
    link('.local/bin/key', '../../.ssh/run');
    writeFileSync(join(root, 'stray'), '#!/bin/sh\n', { mode: 0o755 });
    link('.local/bin/out', join(root, 'stray'));
    const [offer] = offers();
    expect(offer).toMatchObject({ programs: ['tool'], folders: ['.local/bin'] });
    expect(offer?.refused).toEqual([
      expect.stringMatching(/^key: .*\.ssh may hold credentials or private files$/),
      expect.stringMatching(/^out: .* points outside the home folder/),
    ]);
  });

  it('shows tools that lie side by side with the one folder that holds them', () => {
    const tools = ['a', 'b', 'c', 'd'];
    const put1 = (name: string) => {
      put(`.local/share/uv/tools/${name}/pyvenv.cfg`, '', 0o644);
      link(`.local/bin/${name}`, put(`.local/share/uv/tools/${name}/bin/${name}`));
    };
    for (const name of tools.slice(1)) put1(name);
    expect(offers()[0]?.folders).toContain('.local/share/uv/tools/b');
    put1('a');
    expect(offers()[0]).toMatchObject({
      programs: tools,
      folders: ['.local/bin', '.local/share/uv/tools'],
    });
  });

  it.each(['work', '.work', '.config/app', '.var/app'])(
    'does not show all of %s because four programs lie in it',
    (place) => {
      put(`${place}/diary.txt`, 'private', 0o644);
      for (const name of ['a', 'b', 'c', 'd']) {
        put(`${place}/${name}/lib/x`, '', 0o644);
        link(`.local/bin/${name}`, put(`${place}/${name}/bin/${name}`));
      }
      const shown = offers()[0]?.folders ?? [];
      expect(shown).toContain('.local/bin');
      expect(shown).not.toContain(place);
    },
  );
});
