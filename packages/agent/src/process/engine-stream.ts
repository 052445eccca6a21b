import { type ClientHttp2Stream, connect } from 'node:http2';
import type { Duplex } from 'node:stream';
import { ATTACH_PATH, CONTENT_TYPE, WINDOW_BYTES } from '../wire/wire-constants.ts';

/**
 * Opens the Attach stream over a connected socket. Makes no socket and looks up no name: under the agent's
 * seccomp filter either would end the process.
 */
export function openEngineStream(socket: Duplex): ClientHttp2Stream {
  const session = connect('http://engine', {
    createConnection: () => socket,
    settings: { initialWindowSize: WINDOW_BYTES, enablePush: false },
  });
  session.on('connect', () => session.setLocalWindowSize(WINDOW_BYTES));
  // An error of the session reaches the reader as the end of its stream.
  session.on('error', () => undefined);
  return session.request({
    ':method': 'POST',
    ':path': ATTACH_PATH,
    'content-type': CONTENT_TYPE,
    te: 'trailers',
  });
}
