import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { writeOwnerToken } from '@bulkhead/actions/testing';
import { replaceFile } from '@bulkhead/home/config/file/replace-file';
import { ScratchLedger } from '@bulkhead/processes/transactions/scratch-ledger';
import { homeLayout } from '@bulkhead/protocol';
import { recordDisk } from '@bulkhead/testkit/disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProfile, deleteProfile } from '../profile/profile-store.ts';
import { type TrustRecord, TrustRecords } from '../trust/trust-record.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(`${tmpdir()}/bulkhead-own-`);
});
afterEach(() => rmSync(home, { recursive: true }));

/** The changes on the disk of the home, without the removal of leftovers. */
async function deedsOf(act: () => unknown): Promise<readonly string[]> {
  const deeds = await recordDisk(act);
  return deeds
    .filter((deed) => deed.includes(home) && !deed.endsWith('.new'))
    .map((deed) => deed.replaceAll(home, '~'));
}

describe('files of the home that decide something later [FT79] [FR7]', () => {
  it.each<[string, () => unknown]>([
    ['a file of settings, policies, secrets or pins', () => replaceFile(`${home}/f`, 'text')],
    ['the access token', () => writeOwnerToken(`${home}/f`)],
  ])('have their name on the disk when they are said to be written: %s', async (_what, write) => {
    const deeds = await recordDisk(write);
    const order = deeds.filter((deed) => !deed.startsWith('rm '));
    expect(order).toEqual([`flush ${home}/f.new`, `rename ${home}/f.new ${home}/f`, `flush ${home}`]);
  });

  it('are gone from the disk when trust is taken back', async () => {
    const trust = new TrustRecords(`${home}/trust`);
    const file = { path: 'AGENTS.md', size: 1, sha256: 'a'.repeat(64) };
    const record: TrustRecord = { version: 1, folder: '/w', identity: '1:2', trustedAt: 1, files: [file] };
    const made = await deedsOf(() => trust.write(record));
    expect(made.at(0)).toBe('flush ~');
    expect(made.at(-1)).toBe('flush ~/trust');
    const removed = await deedsOf(() => trust.remove('/w'));
    expect(removed).toEqual([expect.stringMatching(/^rm ~\/trust\/[0-9a-f]{64}\.json$/), 'flush ~/trust']);
  });

  it('of a profile are there whole, or gone', async () => {
    const layout = homeLayout(home);
    for (const folder of [layout.profiles, layout.state]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    createProfile(layout, 'first', undefined);
    writeFileSync(`${layout.profiles}/first/SOUL.md`, 'text');
    const made = await deedsOf(() => createProfile(layout, 'second', 'first'));
    const named = made.indexOf('rename ~/profiles/.new-second ~/profiles/second');
    expect(made.indexOf('flush ~/profiles/.new-second')).toBeGreaterThan(-1);
    expect(made.indexOf('flush ~/profiles/.new-second')).toBeLessThan(named);
    expect(made.slice(named)).toContain('flush ~/profiles');
    const gone = await deedsOf(() => deleteProfile(layout, 'second'));
    const away = gone.indexOf('rename ~/profiles/second ~/profiles/.old-second');
    expect(gone.indexOf('flush ~/profiles')).toBeGreaterThan(away);
    expect(existsSync(`${layout.profiles}/second`)).toBe(false);
  });

  it('that lead to a journal are on the disk before a commit is asked for', async () => {
    const scratch = `${home}/scratch`;
    for (const folder of [scratch, `${home}/w`, `${scratch}/inner`]) mkdirSync(folder);
    const ledger = new ScratchLedger(scratch, { recover: async () => 'dropped' });
    await ledger.begin('01A', `${home}/w`);
    const deeds = await deedsOf(() => ledger.secure('01A'));
    expect(deeds.toSorted()).toEqual(['flush ~/scratch', 'flush ~/scratch/01A']);
    expect(existsSync(`${scratch}/01A/commit-asked`)).toBe(true);
    // A home inside the folder: the scratch folder lies beside that.
    const elsewhere = await ledger.begin('01B', home);
    const place = elsewhere.slice(0, -'/01B'.length);
    try {
      expect(await recordDisk(() => ledger.secure('01B'))).toContain(`flush ${place}`);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });
});
