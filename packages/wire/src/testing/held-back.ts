import type { Socket } from 'node:net';
import { expect } from 'vitest';

/**
 * Waits until nothing more is read from `socket`, and expects that it stays so. @returns bytes read
 * until then
 */
export async function heldBack(socket: Socket): Promise<number> {
  let taken = -1;
  const isStill = (): boolean => {
    const still = socket.isPaused() && socket.bytesRead === taken;
    taken = socket.bytesRead;
    return still;
  };
  await expect.poll(isStill, { timeout: 30_000, interval: 100 }).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(socket.bytesRead).toBe(taken);
  return taken;
}
