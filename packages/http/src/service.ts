import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import { type BulkheadError, type CallOrigin, ORIGIN_HEADER, originHeader } from '@bulkhead/protocol';
import type { Transport } from '@connectrpc/connect';

/** The client service for the door: the same handlers as over gRPC, with the same errors. */
export interface Service {
  /**
   * @param origin of the call, where its handler needs one: what the door has proved
   * @throws BulkheadError of the handler
   */
  unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
    signal: AbortSignal,
    origin?: CallOrigin,
  ): Promise<MessageShape<O>>;
  /** Reads as fast as its consumer; leaving the loop, or the signal, ends the call. */
  stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    input: MessageInitShape<I>,
    signal: AbortSignal,
  ): AsyncGenerator<MessageShape<O>>;
}

/** @param errorOf converts the failure of a call of `transport` */
export function createService(transport: Transport, errorOf: (error: unknown) => BulkheadError): Service {
  return {
    unary: async (method, input, signal, origin) => {
      const headers = origin === undefined ? undefined : { [ORIGIN_HEADER]: originHeader(origin) };
      try {
        return (await transport.unary(method, signal, undefined, headers, input)).message;
      } catch (error) {
        throw errorOf(error);
      }
    },
    async *stream(method, input, signal) {
      const ended = new AbortController();
      const both = AbortSignal.any([signal, ended.signal]);
      try {
        yield* (await transport.stream(method, both, undefined, undefined, once(input))).message;
      } catch (error) {
        throw errorOf(error);
      } finally {
        ended.abort();
      }
    },
  };
}

async function* once<Value>(value: Value): AsyncGenerator<Value> {
  yield value;
}
