import { connect } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import type { BoxedProcess } from './boxed-process.ts';
import { CONTENT_TYPE, pathOf } from './grpc-headers.ts';
import { WINDOW_BYTES } from './limits.ts';
import { Outbox } from './outbox.ts';
import { readMessages } from './read-messages.ts';

/** The boxed process's end of its connection to the engine. */
export interface EngineStream<Directive> {
  /**
   * What the engine says, in order, for one consumer. Ends when the engine is gone, however it went. Throws
   * BulkheadError `protocol_violation` for what can't be read.
   */
  readonly directives: AsyncGenerator<Directive, void, undefined>;
  /** Takes encoded events; if the engine doesn't read, the stream is destroyed before too much waits. */
  readonly outbox: Outbox;
}

/**
 * Opens the one stream over a connected socket. Makes no socket and looks up no name: under the agent's
 * seccomp filter either would end the process.
 */
export function attachToEngine<Event extends DescMessage, Directive extends DescMessage>(
  socket: Duplex,
  { attach, limits }: BoxedProcess<Event, Directive>,
): EngineStream<MessageShape<Directive>> {
  const session = connect('http://engine', {
    createConnection: () => socket,
    settings: { initialWindowSize: WINDOW_BYTES, enablePush: false },
  });
  session.on('connect', () => session.setLocalWindowSize(WINDOW_BYTES));
  // An error of the session reaches the reader as the end of its stream.
  session.on('error', () => undefined);
  const stream = session.request({
    ':method': 'POST',
    ':path': pathOf(attach),
    'content-type': CONTENT_TYPE,
    te: 'trailers',
  });
  const outbox = new Outbox(stream, {
    maxMessageBytes: limits.toEngine,
    maxQueuedBytes: limits.queued,
    onOverflow: () => void stream.destroy(),
  });
  return { directives: untilGone(readMessages(stream, attach.output, limits.fromEngine)), outbox };
}

async function* untilGone<Directive>(
  directives: AsyncGenerator<Directive, void, undefined>,
): AsyncGenerator<Directive, void, undefined> {
  try {
    yield* directives;
  } catch (error) {
    if (BulkheadError.is(error)) throw error;
  }
}
