import type { Duplex } from 'node:stream';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { BoxedProcess } from './boxed-process.ts';
import { Outbox } from './outbox.ts';
import { ProcessStream } from './process-stream.ts';

/** The boxed process's end of its connection to the engine. */
export interface EngineStream<Directive> {
  /**
   * The engine's directives, in order, for one consumer. Ends when the engine is gone, for any
   * reason. Throws BulkheadError `protocol_violation` if one can't be read.
   */
  readonly directives: AsyncGenerator<Directive, void, undefined>;
  /** Takes encoded events; if the engine doesn't read, the stream is destroyed before too much waits. */
  readonly outbox: Outbox;
}

/**
 * Communicates with the engine over a connected socket. Makes no socket and looks up no name: under
 * the agent's seccomp filter either would end the process.
 */
export function attachToEngine<Event extends DescMessage, Directive extends DescMessage>(
  socket: Duplex,
  { directive, limits }: BoxedProcess<Event, Directive>,
): EngineStream<MessageShape<Directive>> {
  const stream = new ProcessStream(socket, directive, limits.fromEngine);
  const outbox = new Outbox(socket, {
    maxMessageBytes: limits.toEngine,
    maxQueuedBytes: limits.queued,
    onOverflow: () => stream.destroy(),
  });
  return { directives: stream.read(), outbox };
}
