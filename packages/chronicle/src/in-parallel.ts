/**
 * Runs a function for each item, a few at a time; results in the order of the items. Rejects with
 * the first error, after the started calls end.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  let isOver = false;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length && !isOver; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await work(item, index);
    }
  };
  const lanes = Array.from({ length: Math.min(width, items.length) }, () =>
    lane().catch((error: unknown) => {
      isOver = true;
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results;
}
