import type { Duplex } from 'node:stream';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { BulkheadError, PROTOCOL_VERSION } from '@bulkhead/protocol';
import type { BoxedProcess, Ready } from './boxed-process.ts';
import { Outbox } from './outbox.ts';
import { ProcessStream } from './process-stream.ts';
import { refuseOtherVersion } from './refuse-other-version.ts';
import { sameToken } from './same-token.ts';

export interface AcceptOptions {
  /** Token given to this process at its start. */
  readonly token: string;
  /** Longest time until it is ready, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Throws to refuse a process because of its self-probe results. Nothing was sent to it before.
   */
  readonly admit?: (probes: Ready['probes']) => void;
}

/** The engine's end of the connection to an identified boxed process. */
export interface AcceptedProcess<Event> {
  /** The process's own claim, for logs; nothing may be decided by it. */
  readonly pid: number;
  /**
   * Its later events, in order, for one consumer, which holds it back while busy. Ends when the
   * connection does; leaving the loop early closes the connection. Throws the BulkheadError that
   * destroyed the connection: `protocol_violation` if the process broke the protocol or doesn't
   * read.
   */
  readonly events: AsyncGenerator<Event, void, undefined>;
  /** Takes encoded directives. */
  readonly outbox: Outbox;
  /** Resolves once the connection is closed, for whatever reason; never rejects. */
  readonly closed: Promise<void>;
  /** Closes immediately; waiting data is lost. The first reason stays. */
  destroy(reason?: BulkheadError): void;
  /**
   * Lets sent data go out and the process end its half, then closes, at the latest after `graceMs`.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Waits until a freshly started boxed process is ready, over one inherited socket pair. Its first
 * message must come in time and show the expected token and this version of the protocol [P5].
 *
 * @param duplex the engine's end; owned from here on, and destroyed on failure
 * @throws BulkheadError `protocol_violation` if the process has another token or version or
 *   breaks the protocol, `timeout` if it isn't ready in time, `wire.goneCode` if it ends before,
 *   and errors of `admit`
 */
export async function acceptProcess<Event extends DescMessage, Directive extends DescMessage>(
  duplex: Duplex,
  wire: BoxedProcess<Event, Directive>,
  { token, timeoutMs, admit }: AcceptOptions,
): Promise<AcceptedProcess<MessageShape<Event>>> {
  const stream = new ProcessStream(duplex, wire.event, wire.limits.toEngine);
  const timer = setTimeout(() => {
    const message = `the ${wire.name} was not ready within ${timeoutMs / 1_000} s`;
    stream.destroy(new BulkheadError('timeout', message));
  }, timeoutMs);
  try {
    const events = stream.read();
    const first = await events.next();
    if (first.done === true) {
      throw new BulkheadError(wire.goneCode, `the ${wire.name} ended before it was ready`);
    }
    const { pid, probes } = checkReady(wire.readyOf(first.value), token, wire.name);
    admit?.(probes);
    const outbox = new Outbox(duplex, {
      maxMessageBytes: wire.limits.fromEngine,
      maxQueuedBytes: wire.limits.queued,
      onOverflow: () => stream.destroy(violation(`the ${wire.name} does not read`)),
    });
    return {
      pid,
      events,
      outbox,
      closed: stream.closed,
      destroy: (reason) => stream.destroy(reason),
      close: async (graceMs) => {
        outbox.end();
        await stream.close(graceMs);
      },
    };
  } catch (error) {
    stream.destroy(BulkheadError.from(error));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function checkReady(ready: Ready | undefined, token: string, name: string): Ready {
  if (ready === undefined) throw violation(`the ${name} spoke before it said that it is ready`);
  if (!sameToken(ready.token, token)) throw violation(`the ${name} has the token of another`);
  refuseOtherVersion(name, { process: ready.protocolVersion, engine: PROTOCOL_VERSION });
  return ready;
}

function violation(message: string): BulkheadError {
  return new BulkheadError('protocol_violation', message);
}
