import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeLayout } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { testEnvironment } from '../testing/test-environment.ts';

/* Tests that need a log are in e2e/audit.test.ts: only an engine writes one. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-cli-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function audit(...argv: readonly string[]) {
  const environment = testEnvironment(homeLayout(join(folder, 'home')), { cwd: folder });
  const code = await dispatch(['audit', ...argv], environment);
  return { code, out: environment.out(), err: environment.err() };
}

describe('bulkhead audit', () => {
  it('never takes a log that is not there for a good one', async () => {
    expect(await audit('verify')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/there is no audit log/),
    });
    expect(await audit('list')).toMatchObject({ code: 0, out: 'no entries\n' });
    expect((await audit('proof', 'x')).code).toBe(1);
    expect((await audit('export', '--output', 'copy')).code).toBe(1);
  });

  it.each([
    [['verfy'], /unknown: audit verfy \(did you mean "verify"\?\)/],
    [['verify', 'x'], /unexpected argument "x" for `audit verify`/],
    [['proof'], /`audit proof` needs ID/],
    [['list', '--witness', 'x'], /--witness does not apply to `audit list`/],
    [['list', '--limit', '0'], /--limit is a number/],
    [['list', '--since', 'yesterday'], /--since is a time/],
    [['export'], /needs --output/],
  ])('says what is wrong with %j', async (argv, message) => {
    expect(await audit(...argv)).toMatchObject({ code: 2, err: expect.stringMatching(message) });
  });

  it('refuses a witness that holds no checkpoints', async () => {
    mkdirSync(homeLayout(join(folder, 'home')).audit, { recursive: true });
    writeFileSync(join(folder, 'witness'), 'not JSON\n');
    expect(await audit('verify', '--witness', join(folder, 'witness'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/does not contain checkpoints/),
    });
  });
});
