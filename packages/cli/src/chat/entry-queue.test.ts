import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { EntryQueue } from './entry-queue.ts';

async function collect(queue: EntryQueue): Promise<string[]> {
  const entries: string[] = [];
  for await (const entry of queue) entries.push(entry);
  return entries;
}

describe('EntryQueue', () => {
  it('takes lines that come at once from a terminal as one entry', async () => {
    const queue = new EntryQueue(true);
    const entries = collect(queue);
    for (const line of ['one', '', 'three']) queue.line(line);
    await sleep(80);
    queue.line('alone');
    queue.end();
    expect(await entries).toEqual(['one\n\nthree', 'alone']);
  });

  it('takes every line of a pipe as an entry', async () => {
    const queue = new EntryQueue(false);
    queue.line('one');
    queue.line('two');
    queue.end();
    expect(await collect(queue)).toEqual(['one', 'two']);
  });
});
