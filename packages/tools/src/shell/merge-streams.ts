import type { Readable } from 'node:stream';

export interface MergedChunk {
  /** Index of its stream in the list. */
  readonly source: number;
  readonly bytes: Buffer;
}

/**
 * Chunks of several streams in the order they arrive, as far as two pipes have an order, until all
 * have ended or were destroyed, or the signal aborts: then another reader may go on. Reads on demand only, so a slow reader slows the writers down.
 */
export async function* mergeStreams(
  streams: readonly Readable[],
  until?: AbortSignal,
): AsyncGenerator<MergedChunk> {
  const bell = new Bell();
  const open = new Map(streams.entries());
  for (const stream of streams) listen(stream, bell.ring);
  until?.addEventListener('abort', bell.ring, { once: true });
  while (open.size > 0 && until?.aborted !== true) {
    let idle = true;
    for (const [source, stream] of open) {
      const bytes: unknown = stream.read();
      if (Buffer.isBuffer(bytes)) {
        idle = false;
        yield { source, bytes };
      } else if (stream.readableEnded || stream.destroyed) {
        open.delete(source);
      }
    }
    if (idle && open.size > 0) await bell.wait();
  }
}

function listen(stream: Readable, ring: () => void): void {
  for (const event of ['readable', 'end', 'close', 'error']) stream.on(event, ring);
}

/** Wakes the one loop that waits for an event; a ring before the wait is not lost. */
class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  readonly ring = (): void => {
    this.#rung = true;
    this.#wake?.();
  };

  async wait(): Promise<void> {
    if (!this.#rung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
      this.#wake = undefined;
    }
    this.#rung = false;
  }
}
