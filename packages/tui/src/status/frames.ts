/** Frames of what turns while something goes on; all ASCII, so that no terminal can be wrong about them. */
const FRAMES = ['|', '/', '-', '\\'];

/** A frame is shown for so long, milliseconds. */
export const FRAME_MS = 120;

/** @param now milliseconds since the epoch */
export function frameAt(now: number): string {
  return FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? '|';
}
