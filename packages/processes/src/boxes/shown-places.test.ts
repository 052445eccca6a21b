import { describe, expect, it } from 'vitest';
import { shownPlaces } from './shown-places.ts';

const HOME = '/home/me/.bulkhead';
const WORK = '/home/me/work';
const BASE = ['22 1 254:0 / / rw - ext4 /dev/vda rw', '23 22 0:5 / /proc rw - proc proc rw'];

const shown = (folder: string, ...mounts: readonly string[]) =>
  shownPlaces(folder, [HOME], [...BASE, ...mounts].join('\n'));

describe('shownPlaces', () => {
  it.each([
    ['the home', `/home/me/.bulkhead ${WORK}/a`, [`${WORK}/a`]],
    ['a part of it', `/home/me/.bulkhead/state/x.db ${WORK}/a`, [`${WORK}/a`]],
    ['what is around it', `/home ${WORK}/a`, [`${WORK}/a/me/.bulkhead`]],
    ['the whole disk', `/ ${WORK}/a`, [`${WORK}/a/home/me/.bulkhead`]],
    ['a point with a space', `/home/me/.bulkhead ${WORK}/a\\040b`, [`${WORK}/a b`]],
    ['something beside it', `/home/me/other ${WORK}/a`, []],
    ['what only begins like it', `/home/me/.bulkhead-too ${WORK}/a`, []],
    ['the home, elsewhere', '/home/me/.bulkhead /mnt/a', []],
  ])('tells where a bind mount shows %s [FT13]', (_what, mount, places) => {
    expect(shown(WORK, `40 22 254:0 ${mount} rw - ext4 /dev/vda rw`)).toEqual(places);
  });

  it('takes no other disk for it, whatever its folders are called [FT13]', () => {
    expect(shown(WORK, `40 22 7:1 /home/me/.bulkhead ${WORK}/a rw - ext4 /dev/loop1 rw`)).toEqual([]);
  });

  it('finds the home in a folder that lies on a second mount of the same disk [FT13]', () => {
    const again = '40 22 254:0 / /mnt rw - ext4 /dev/vda rw';
    expect(shown('/mnt/home/me', again)).toEqual(['/mnt/home/me/.bulkhead']);
    expect(shown('/mnt/home/me/work', again)).toEqual([]);
    expect(() => shown('/mnt/home/me/.bulkhead/state', again)).toThrow('a mount shows protected files at');
  });

  it('finds the home on a disk of its own, and nothing where there is no table', () => {
    const own = '40 22 0:44 /@home /home rw - btrfs /dev/vdb rw';
    const top = `41 22 0:44 / ${WORK}/top rw - btrfs /dev/vdb rw`;
    expect(shown(WORK, own, top)).toEqual([`${WORK}/top/@home/me/.bulkhead`]);
    expect(shownPlaces(WORK, [HOME], undefined)).toEqual([]);
  });
});
