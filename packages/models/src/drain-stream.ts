/** Time a server has to close its stream after the last word, before we do and lose the connection. */
const DRAIN_MS = 250;

/**
 * Reads to the end of a stream, so that the connection can be used again; gives up after `DRAIN_MS`.
 * @param see is shown what still comes
 */
export async function drainStream<T>(
  reader: ReadableStreamDefaultReader<T>,
  see: (value: T) => void = () => undefined,
): Promise<void> {
  const { promise: timeUp, resolve } = Promise.withResolvers<'time-up'>();
  const timer = setTimeout(() => resolve('time-up'), DRAIN_MS);
  const readToEnd = async (): Promise<'end'> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) see(next.value);
    return 'end';
  };
  try {
    await Promise.race([readToEnd().catch(() => 'broken'), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
