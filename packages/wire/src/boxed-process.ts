import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { ErrorCode } from '@bulkhead/protocol';
import type { WireLimits } from './limits.ts';

/** The first message of a boxed process: its identity and its protocol version. */
export interface Ready {
  readonly token: string;
  readonly protocolVersion: number;
  /** Its own claim, for logs; nothing may be decided by it. */
  readonly pid: number;
  /**
   * Results of its attacks on its own box: its own claim, made before any input could have
   * influenced it.
   */
  readonly probes: Readonly<Record<string, string>>;
}

/** A kind of boxed process, as the engine meets it on its connection. */
export interface BoxedProcess<Event extends DescMessage, Directive extends DescMessage> {
  /** For messages: `agent`, `worker`. */
  readonly name: string;
  /** Error code if it ends before it is ready. */
  readonly goneCode: ErrorCode;
  /** Schemas of its events and of its directives. */
  readonly event: Event;
  readonly directive: Directive;
  readonly limits: WireLimits;
  /** Returns the content of a ready event, or undefined for another event. */
  readonly readyOf: (event: MessageShape<Event>) => Ready | undefined;
}
