/**
 * Time a server has to close its stream after its last part; then we close and lose the connection.
 */
const DRAIN_MS = 250;

/**
 * Reads a stream to its end, so that the connection can be reused; gives up after `DRAIN_MS`.
 * @param see receives the remaining parts
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
