import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scratchPlace } from './scratch-place.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-scratch-'));
  mkdirSync(join(folder, 'up/work'), { recursive: true });
  mkdirSync(join(folder, 'home'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A file system beside the one that temporary folders lie on. */
const OTHER = '/dev/shm';
const hasOther =
  statSync(OTHER, { throwIfNoEntry: false }) !== undefined && statSync(OTHER).dev !== statSync(tmpdir()).dev;

describe('scratchPlace [B2]', () => {
  it('is in the home, on the same file system', () => {
    expect(scratchPlace(join(folder, 'up/work'), join(folder, 'home'))).toBe(join(folder, 'home'));
  });

  it('is above the working folder where the home lies inside it, private, and found again', () => {
    const work = join(folder, 'up');
    const home = join(folder, 'up/work');
    const place = scratchPlace(work, home);
    expect(place).toBe(join(folder, '.bulkhead-scratch'));
    expect(statSync(place).mode & 0o777).toBe(0o700);
    expect(scratchPlace(work, home)).toBe(place);
    expect(readFileSync(join(place, '.gitignore'), 'utf8')).toBe('*\n');
  });

  it.each<[string, (place: string) => void]>([
    ['others may enter', (place) => mkdirSync(place, { mode: 0o755 })],
    ['is a link', (place) => symlinkSync(join(folder, 'home'), place)],
  ])('passes over a place that %s', (_what, plant) => {
    const place = join(folder, 'up/.bulkhead-scratch');
    plant(place);
    if (!place.includes('link')) chmodSync(join(folder, 'up'), 0o755);
    expect(scratchPlace(join(folder, 'up/work'), join(folder, 'up/work'))).toBe(
      join(folder, '.bulkhead-scratch'),
    );
  });

  it.runIf(hasOther)('is on the working folder’s file system, or nowhere', () => {
    const other = mkdtempSync(join(OTHER, 'bulkhead-scratch-'));
    try {
      mkdirSync(join(other, 'work'));
      expect(scratchPlace(join(other, 'work'), join(folder, 'home'))).toBe(join(other, '.bulkhead-scratch'));
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it('is nowhere for a folder with nothing above it on its file system', () => {
    expect(() => scratchPlace('/proc', join(folder, 'home'))).toThrow('no place to wait');
    expect(() => scratchPlace('/proc', join(folder, 'home'))).toThrow(
      expect.objectContaining({ code: 'not_available', fix: expect.stringContaining('BULKHEAD_HOME') }),
    );
  });
});
