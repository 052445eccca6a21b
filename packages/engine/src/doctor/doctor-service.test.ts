import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Check } from './check.ts';
import { DoctorService, ownDoctor } from './doctor-service.ts';

const GOOD: Check = { name: 'node', state: 'ok', detail: '24', fix: '' };

describe('the doctor of an engine', () => {
  it('checks once for all who ask meanwhile, and again for who asks later', async () => {
    let runs = 0;
    using service = new DoctorService({
      sandbox: 'on',
      run: async () => {
        runs += 1;
        return [GOOD];
      },
    });
    expect(await Promise.all([service.run(), service.run()])).toEqual([[GOOD], [GOOD]]);
    expect(runs).toBe(1);
    await service.run();
    expect(runs).toBe(2);
  });

  it('is well again after a check that could not be made', async () => {
    let fails = true;
    const run = async () => {
      if (fails) throw new Error('no report');
      return [GOOD];
    };
    using service = new DoctorService({ sandbox: 'on', run });
    await expect(service.run()).rejects.toThrow('no report');
    fails = false;
    expect(await service.run()).toEqual([GOOD]);
  });

  it('says what only the engine itself knows: that it runs without a sandbox', async () => {
    using service = new DoctorService({ sandbox: 'off', run: async () => [GOOD] });
    expect(await service.run()).toMatchObject([GOOD, { name: 'running engine', state: 'bad' }]);
  });
});

describe('the checks of the engine’s own bundle', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bulkhead-doctor-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (program: string, signal = new AbortController().signal) => {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'engine.js'), program);
    const home = join(folder, 'home');
    return ownDoctor({ dist: folder, nodePath: process.execPath, home, environment: { A: 'b' } })(signal);
  };

  it('are those of a process of its own, with the engine’s home and environment', async () => {
    const program = `const { BULKHEAD_HOME, A } = process.env;
      console.log(JSON.stringify({ checks: [{ name: A, state: 'ok', detail: BULKHEAD_HOME, fix: '' }] }));`;
    expect(await run(program)).toEqual([{ name: 'b', state: 'ok', detail: join(folder, 'home'), fix: '' }]);
  });

  it('end with the engine', async () => {
    const end = new AbortController();
    const running = run('setInterval(() => {}, 1_000)', end.signal);
    end.abort();
    await expect(running).rejects.toMatchObject({ code: 'internal', message: 'the checks gave no report' });
  });
});
