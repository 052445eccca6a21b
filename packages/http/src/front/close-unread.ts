/**
 * If a client reads nothing of its waiting data for this long, its stream is closed, in
 * milliseconds.
 */
export const UNREAD_MS = 30_000;

/**
 * A stream on which Node.js emits `timeout` when nothing moved: an answer of HTTP/1.1, a stream of
 * HTTP/2.
 */
interface TimedStream {
  readonly writableLength: number;
  setTimeout(ms: number, onTimeout: () => void): unknown;
}

/**
 * Closes streams that a client does not read: one rule for all ways in. A slow reader continues as
 * long as some data moves; a stream with no waiting data is left alone.
 *
 * @param close ends the stream and discards its waiting data
 */
export function closeUnread(stream: TimedStream, close: () => void, unreadMs = UNREAD_MS): void {
  stream.setTimeout(unreadMs, () => {
    if (stream.writableLength > 0) close();
  });
}
