import { describe, expect, it } from 'vitest';
import { isSameObject, lastingId } from './lasting-id.ts';

const EXT4 = 0xef53;
const OVERLAY = 0x794c7630;
const folder = { dev: 1792n, ino: 12n, birthtimeNs: 1_700_000_000_123_456_789n };

describe('the name of an object in what is stored', () => {
  it('stays when its disk comes back under another number [FT98]', () => {
    const kept = lastingId(folder, EXT4);
    expect(kept).toBe('12@1700000000123456789');
    expect(isSameObject(kept, { ...folder, dev: 1793n }, EXT4)).toBe(true);
  });

  it('is not that of another object with the same inode, on the same disk or another [FT98]', () => {
    const kept = lastingId(folder, EXT4);
    const born = folder.birthtimeNs + 1n;
    expect(isSameObject(kept, { ...folder, birthtimeNs: born }, EXT4)).toBe(false);
    expect(isSameObject(kept, { dev: 7n, ino: 12n, birthtimeNs: born }, EXT4)).toBe(false);
    expect(isSameObject(kept, { ...folder, ino: 13n }, EXT4)).toBe(false);
  });

  it('has the device where no time of birth is kept, or it does not stay', () => {
    expect(lastingId({ ...folder, birthtimeNs: 0n }, EXT4)).toBe('1792:12');
    const kept = lastingId(folder, OVERLAY);
    expect(kept).toBe('1792:12');
    expect(isSameObject(kept, { ...folder, birthtimeNs: folder.birthtimeNs + 5n }, OVERLAY)).toBe(true);
    expect(isSameObject(kept, { ...folder, dev: 1793n }, OVERLAY)).toBe(false);
  });

  it('is known in its older form only on the same device', () => {
    expect(isSameObject('1792:12', folder, EXT4)).toBe(true);
    expect(isSameObject('1792:12', { ...folder, dev: 1793n }, EXT4)).toBe(false);
  });
});
