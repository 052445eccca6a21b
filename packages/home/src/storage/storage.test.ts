import { BulkheadError } from '@bulkhead/protocol';
import { describe, expect, it, vi } from 'vitest';
import type { GoneObject } from './opened-objects.ts';
import { Storage, type StorageProblem } from './storage.ts';

const systemError = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code, path });

const storeFailed = (cause: Error, retryable: boolean): BulkheadError =>
  new BulkheadError('store_failed', 'not written', {
    cause,
    retryable,
    details: { path: '/h/state/labels.db' },
  });

/** Timers and a disk under the test's control. */
function opened(wasReopened = false) {
  let now = 0;
  let due: (() => void) | undefined;
  const disk: { error: Error | undefined; gone: GoneObject | undefined } = {
    error: undefined,
    gone: undefined,
  };
  const told: (readonly StorageProblem[])[] = [];
  const reopen = vi.fn();
  const probed: string[] = [];
  const sizes: (number | undefined)[] = [];
  const storage = new Storage({
    places: [
      { name: 'home', path: '/h', folder: '/h/state' },
      { name: 'audit log', path: '/h/state/audit', folder: '/h/state/audit' },
      { name: 'labels', path: '/h/state/labels.db', folder: '/h/state' },
    ],
    clock: { now: () => 1_700_000_000_000 + now, monotonic: () => now },
    timers: {
      after: (ms, run) => {
        due = () => {
          now += ms;
          run();
        };
        return { [Symbol.dispose]: () => (due = undefined) };
      },
    },
    probe: (folder, bytes) => {
      probed.push(folder);
      sizes.push(bytes);
      return disk.error === undefined ? Promise.resolve() : Promise.reject(disk.error);
    },
    gone: () => disk.gone,
    wasReopened,
    reopen,
    changed: (problems) => told.push(problems),
  });
  const tick = async (): Promise<void> => {
    const run = due;
    due = undefined;
    run?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { storage, disk, told, reopen, probed, sizes, tick, isWaiting: () => due !== undefined };
}

const full = () => storeFailed(systemError('ENOSPC', '/h/state/labels.db-wal'), true);

describe('the state of all disks', () => {
  it('refuses work with place, reason and fix until a probe goes through, and tells both once [FT80]', async () => {
    const test = opened();
    test.storage.refuseWork();
    expect(test.storage.report(full())).toBe(true);
    test.storage.report(full());
    expect(() => test.storage.refuseWork()).toThrow(
      expect.objectContaining({
        code: 'store_failed',
        retryable: true,
        message: expect.stringMatching(
          /the labels \/h\/state\/labels\.db can't be written .*the disk is full$/,
        ),
        fix: expect.stringContaining('Free some space'),
      }),
    );
    test.disk.error = systemError('ENOSPC', '/h/state/.storage-probe');
    await test.tick();
    await test.tick();
    expect(test.storage.problems).toHaveLength(1);
    expect(test.told).toHaveLength(1);
    test.disk.error = undefined;
    await test.tick();
    test.storage.refuseWork();
    expect(test.told.at(-1)).toEqual([]);
    expect(test.reopen).not.toHaveBeenCalled();
    expect(test.isWaiting()).toBe(false);
  });

  it('refuses changes while it works on copies of its home, and then only [FT80]', () => {
    const { storage } = opened();
    storage.report(full());
    storage.refuseChange();
    storage.beginReadingOnly(systemError('EROFS', '/h'));
    expect(() => storage.refuseChange()).toThrow(expect.objectContaining({ code: 'store_failed' }));
  });

  it('blames no disk for what is none of ours, and for what merely is not there', () => {
    const { storage } = opened();
    expect(storage.report(systemError('ENOSPC', '/elsewhere/file'))).toBe(false);
    expect(storage.report(systemError('ENOENT', '/h/config.yaml'))).toBe(false);
    expect(storage.report(new BulkheadError('tool_failed', 'x', { cause: systemError('EIO', '/w/f') }))).toBe(
      false,
    );
    expect(storage.report(new Error('x'))).toBe(false);
    storage.refuseWork();
  });

  it('opens anew what an error left in doubt, once the disk can be written and never before', async () => {
    const test = opened();
    test.storage.report(new BulkheadError('audit_failed', 'x', { cause: systemError('EIO', '') }));
    test.disk.error = systemError('EIO', '');
    await test.tick();
    expect(test.reopen).not.toHaveBeenCalled();
    test.disk.error = undefined;
    await test.tick();
    expect(test.reopen).toHaveBeenCalledTimes(1);
    expect(test.probed).toEqual(['/h/state/audit', '/h/state/audit']);
    // Until the start: no new work may rely on uncertain data.
    expect(() => test.storage.refuseWork()).toThrow('input/output error');
  });

  it('is no loop: an engine that was started for it waits before it asks for another start', async () => {
    const test = opened(true);
    test.storage.report(storeFailed(systemError('EIO', ''), false));
    for (let count = 0; count < 9; count += 1) await test.tick();
    expect(test.reopen).not.toHaveBeenCalled();
    for (let count = 0; count < 3; count += 1) await test.tick();
    expect(test.reopen).toHaveBeenCalled();
  });

  it('starts anew at once when a full disk has room for a start, also soon after another start [FT80]', async () => {
    const test = opened(true);
    test.storage.report(new BulkheadError('audit_failed', 'x', { cause: systemError('ENOSPC', '') }));
    test.disk.error = systemError('ENOSPC', '');
    await test.tick();
    expect(test.reopen).not.toHaveBeenCalled();
    test.disk.error = undefined;
    await test.tick();
    expect(test.reopen).toHaveBeenCalledTimes(1);
    // More than the usual check: a nearly full disk must not cause a loop.
    expect(test.sizes).toEqual([4 * 1024 * 1024, 4 * 1024 * 1024]);
  });

  it('waits after an input/output error that came with a full disk', async () => {
    const test = opened(true);
    test.storage.report(storeFailed(systemError('EIO', ''), false));
    test.storage.report(new BulkheadError('audit_failed', 'x', { cause: systemError('ENOSPC', '') }));
    for (let count = 0; count < 9; count += 1) await test.tick();
    expect(test.reopen).not.toHaveBeenCalled();
  });

  it('notices what was deleted or unmounted before it accepts anything, and opens it when it is back', async () => {
    const test = opened();
    test.disk.gone = { path: '/h', replaced: false };
    expect(() => test.storage.refuseGone()).toThrow(/the home \/h can't be written .*it is missing$/);
    await test.tick();
    expect(test.reopen).not.toHaveBeenCalled();
    test.disk.gone = { path: '/h', replaced: true };
    await test.tick();
    expect(test.reopen).toHaveBeenCalledTimes(1);
  });
});
