/** What waits for a client that takes none of it for this long is thrown away with its stream, in milliseconds. */
export const UNREAD_MS = 30_000;

/** A stream that Node.js tells of `timeout` when nothing moved on it: an answer of HTTP/1.1, a stream of HTTP/2. */
interface TimedStream {
  readonly writableLength: number;
  setTimeout(ms: number, onTimeout: () => void): unknown;
}

/**
 * Ends what a client does not read: the one rule for all ways in. A slow reader goes on as long as some of it moves, and so does
 * one that nothing waits for.
 *
 * @param close ends the stream and gives up what waits in it
 */
export function closeUnread(stream: TimedStream, close: () => void, unreadMs = UNREAD_MS): void {
  stream.setTimeout(unreadMs, () => {
    if (stream.writableLength > 0) close();
  });
}
