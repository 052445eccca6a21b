/** Frames of the spinner during work; all ASCII, so every terminal shows them correctly. */
const FRAMES = ['|', '/', '-', '\\'];

/** Duration of a frame, milliseconds. */
export const FRAME_MS = 120;

/** @param now milliseconds since the epoch */
export function frameAt(now: number): string {
  return FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? '|';
}
