import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import { type BulkheadError, CALLER_HEADER } from '@bulkhead/protocol';
import type { Transport } from '@connectrpc/connect';

/** The client service, as the door calls it: the handlers that gRPC reaches, with the same errors. */
export interface Service {
  /**
   * @param caller whom it is made for, where that counts
   * @throws BulkheadError as the handler meant it
   */
  unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
    signal: AbortSignal,
    caller?: string,
  ): Promise<MessageShape<O>>;
  /** Reads as fast as it is read from; leaving the loop, or the signal, ends the call. */
  stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    input: MessageInitShape<I>,
    signal: AbortSignal,
  ): AsyncGenerator<MessageShape<O>>;
}

/** @param errorOf what a failed call of `transport` means */
export function createService(transport: Transport, errorOf: (error: unknown) => BulkheadError): Service {
  return {
    unary: async (method, input, signal, caller) => {
      const headers = caller === undefined ? undefined : { [CALLER_HEADER]: caller };
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
