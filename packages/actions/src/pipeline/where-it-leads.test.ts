import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { whereItLeads } from './where-it-leads.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-links-')));
  mkdirSync(join(folder, '.git/hooks'), { recursive: true });
  writeFileSync(join(folder, '.env'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('whereItLeads', () => {
  it.each([
    ['a file', '.env', 'name', '.env'],
    ['a folder on the way', '.git/hooks', 'name/pre-commit', '.git/hooks/pre-commit'],
    ['what does not exist yet', '.git/hooks/pre-commit', 'name', '.git/hooks/pre-commit'],
    ['a folder, and back from there', '.git/hooks', 'name/../config', '.git/config'],
    ['nothing that is named', '.env', './other//deep.txt', 'other/deep.txt'],
  ])('follows a link to %s [A2]', (_what, target, asked, found) => {
    symlinkSync(target, join(folder, 'name'));
    expect(whereItLeads(folder, asked)).toBe(join(folder, found));
    expect(whereItLeads('/', join(folder, '/').concat(asked))).toBe(join(folder, found));
  });

  it('follows links to links, absolute ones and those out of the folder [A2]', () => {
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    symlinkSync(join(folder, 'a/second'), join(folder, 'first'));
    symlinkSync('b/../../.env', join(folder, 'a/second'));
    symlinkSync('../../../../../../../../etc', join(folder, 'out'));
    expect(whereItLeads(folder, 'first')).toBe(join(folder, '.env'));
    expect(whereItLeads(folder, 'out/passwd')).toBe('/etc/passwd');
    expect(whereItLeads(folder, '../../../../../../../..')).toBe('/');
  });

  it('looks at nothing outside the folder, and lets nothing there lead back in [A2]', () => {
    symlinkSync('.env', join(folder, 'harmless'));
    expect(whereItLeads(folder, '/proc/self/exe')).toBe('/proc/self/exe');
    expect(whereItLeads(folder, `/proc/..${folder}/harmless`)).toBe('/proc');
    expect(whereItLeads(folder, '../other/../harmless')).not.toContain(folder);
  });

  it('refuses circles, and links that double at every step, at once [A2]', () => {
    symlinkSync('two', join(folder, 'one'));
    symlinkSync('one', join(folder, 'two'));
    mkdirSync(join(folder, 'l40'));
    for (let step = 0; step < 40; step += 1) {
      symlinkSync(`l${step + 1}/../l${step + 1}`, join(folder, `l${step}`));
    }
    expect(() => whereItLeads(folder, 'one')).toThrow('too many symbolic links');
    expect(() => whereItLeads(folder, 'l0')).toThrow('too many symbolic links');
    expect(whereItLeads(folder, 'l39')).toBe(join(folder, 'l40'));
  });
});
