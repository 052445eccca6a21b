import { closeSync, openSync, writeSync } from 'node:fs';

/** Takes all space that is left on a disk, down to the last byte. @param filler file that takes it */
export function fillDisk(filler: string): void {
  const file = openSync(filler, 'a');
  for (let size = 1 << 20; size > 0; size >>= 1) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 'x'));
    } catch {
      // No room for so much: perhaps for half.
    }
  }
  closeSync(file);
}
