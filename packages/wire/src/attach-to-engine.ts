import { connect } from 'node:http2';
import { Duplex } from 'node:stream';
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
    createConnection: () => readWhileWriting(socket),
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

/**
 * Node's HTTP/2 reads nothing while a write of its own waits for room in the socket. Two such ends that both fill their
 * socket wait for each other for ever, and windows larger than the socket's buffer let them. Here a write is taken at
 * once, so this end never stops reading, the engine's writes always find room, and it reads on, too. What waits
 * here is bounded by the window that the engine gives.
 */
function readWhileWriting(socket: Duplex): Duplex {
  const ends = new Duplex({
    read: () => void socket.resume(),
    write: (chunk: Buffer, _encoding, taken) => {
      socket.write(chunk);
      taken();
    },
    final: (done) => void socket.end(() => done()),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    if (!ends.push(chunk)) socket.pause();
  });
  socket.on('end', () => ends.push(null));
  socket.on('error', (error) => ends.destroy(error));
  socket.on('close', () => ends.destroy());
  return ends;
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
