import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { ErrorCode } from '@bulkhead/protocol';
import type { WireLimits } from './limits.ts';

/** What a boxed process shows first: which one it is, and which wire it speaks. */
export interface Ready {
  readonly token: string;
  readonly protocolVersion: number;
  /** Its own word, for logs; nothing may be decided by it. */
  readonly pid: number;
  /** What its attacks on its own box came to: its own word, given before anybody could have told it what to say. */
  readonly probes: Readonly<Record<string, string>>;
}

/** A kind of boxed process, as the engine meets it on its connection. */
export interface BoxedProcess<Event extends DescMessage, Directive extends DescMessage> {
  /** For messages: `agent`, `worker`. */
  readonly name: string;
  /** What its end before it was ready is called. */
  readonly goneCode: ErrorCode;
  /** What it says, and what it is told. */
  readonly event: Event;
  readonly directive: Directive;
  readonly limits: WireLimits;
  /** What `event` shows, or undefined if it is another event. */
  readonly readyOf: (event: MessageShape<Event>) => Ready | undefined;
}
