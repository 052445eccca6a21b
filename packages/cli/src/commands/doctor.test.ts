import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { homeLayout } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { testEnvironment } from '../testing/test-environment.ts';

describe('doctor', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bulkhead-doctor-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function doctor(
    program: string,
    ...argv: string[]
  ): Promise<{ code: number; out: string; err: string }> {
    const path = join(folder, 'engine.mjs');
    writeFileSync(path, program);
    const base = testEnvironment(homeLayout(join(folder, 'home')));
    const environment = { ...base, entries: { ...base.entries, engine: pathToFileURL(path) } };
    const code = await dispatch(['doctor', ...argv], environment);
    return { code, out: base.out(), err: base.err() };
  }

  const report = (...checks: readonly Record<string, unknown>[]) =>
    `if (process.argv[2] === 'doctor') console.log(${JSON.stringify(JSON.stringify({ checks }))})`;
  const good = { name: 'node', state: 'ok', detail: 'version 24', fix: '' };
  const poor = { name: 'model', state: 'warn', detail: 'rules', fix: 'Store a key.' };
  const bad = { name: 'sandbox', state: 'bad', detail: 'no Landlock', fix: 'Use a newer kernel.' };

  it('exits 0 when every check is well or could be better, 1 when one is not', async () => {
    expect(await doctor(report(good, poor))).toEqual({
      code: 0,
      out: 'ok   node: version 24\nwarn model: rules\n     Store a key.\n',
      err: '',
    });
    expect(await doctor(report(good, bad))).toEqual({
      code: 1,
      out: 'ok   node: version 24\nFAIL sandbox: no Landlock\n     Use a newer kernel.\n',
      err: '',
    });
    const json = await doctor(report(bad), '--json');
    expect(JSON.parse(json.out)).toEqual({ ok: false, checks: [{ ...bad, ok: false }] });
  });

  it.each(['', 'process.exit(1)', 'console.log("{}")', report(), 'console.log("oops")'])(
    'never takes a missing report for health: %j',
    async (program) => {
      expect(await doctor(program)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('no report'),
      });
    },
  );

  it('counts a check that does not say how it is as failed', async () => {
    expect(await doctor(report({ name: 'x' }))).toMatchObject({ code: 1 });
  });
});
