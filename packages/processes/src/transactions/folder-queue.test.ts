import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FolderQueue } from './folder-queue.ts';

const never = new AbortController().signal;
const at = (path: string, identity = path) => ({ path, identity });

/** Whether an entrance is still waiting after all other events. */
async function waits(entering: Promise<Disposable>): Promise<boolean> {
  return await Promise.race([entering.then(() => false), delay(5, true)]);
}

describe('FolderQueue', () => {
  it('lets one into a folder at a time, in order [B2]', async () => {
    const queue = new FolderQueue();
    const first = await queue.enter(at('/a'), never);
    const second = queue.enter(at('/a'), never);
    const third = queue.enter(at('/a'), never);
    expect(await waits(second)).toBe(true);
    first[Symbol.dispose]();
    (await second)[Symbol.dispose]();
    (await third)[Symbol.dispose]();
    expect(queue.isTaken(at('/a'))).toBe(false);
  });

  it.each([
    ['/a', '/a/b', true],
    ['/a/b', '/a', true],
    ['/a', '/ab', false],
    ['/a/b', '/a/c', false],
  ])('counts folders in and around one as the same, others not: %s %s [P9]', async (a, b, same) => {
    const queue = new FolderQueue();
    await queue.enter(at(a), never);
    expect(await waits(queue.enter(at(b), never))).toBe(same);
  });

  it('knows a folder by what it is, whatever it is called', async () => {
    const queue = new FolderQueue();
    await queue.enter(at('/a', '1:2'), never);
    expect(await waits(queue.enter(at('/b', '1:2'), never))).toBe(true);
  });

  it('lets no one wait for a folder without a conflict [P9]', async () => {
    const queue = new FolderQueue();
    await queue.enter(at('/a'), never);
    expect(await waits(queue.enter(at('/a'), never))).toBe(true);
    expect(await waits(queue.enter(at('/b'), never))).toBe(false);
  });

  it('drops only the waiting command that is cancelled', async () => {
    const queue = new FolderQueue();
    const first = await queue.enter(at('/a'), never);
    const controller = new AbortController();
    const second = queue.enter(at('/a'), controller.signal);
    const third = queue.enter(at('/a'), never);
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    await expect(queue.enter(at('/b'), AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    first[Symbol.dispose]();
    expect(await waits(third)).toBe(false);
  });

  it('never has two that overlap, and serves everybody', async () => {
    const folders = fc.constantFrom('/a', '/a/b', '/a/b/c', '/a/d', '/e', '/e/f');
    await fc.assert(
      fc.asyncProperty(fc.array(folders, { maxLength: 12 }), async (paths) => {
        const queue = new FolderQueue();
        const inside: string[] = [];
        await Promise.all(
          paths.map(async (path) => {
            using _place = await queue.enter(at(path), never);
            expect(
              inside.some(
                (other) => `${other}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${other}/`),
              ),
            ).toBe(false);
            inside.push(path);
            await Promise.resolve();
            inside.splice(inside.indexOf(path), 1);
          }),
        );
      }),
    );
  });
});
