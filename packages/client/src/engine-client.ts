import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import { ClientService } from '@bulkhead/protocol/client';
import type { GrpcConnection } from './grpc-connection.ts';

type Methods = typeof ClientService.method;
type NameOf<Kind extends 'unary' | 'server_streaming'> = {
  [Name in keyof Methods]: Methods[Name] extends { readonly methodKind: Kind } ? Name : never;
}[keyof Methods];

/** A method of the client service with one answer. */
export type CallName = NameOf<'unary'>;
/** A method of the client service that answers with a stream of messages. */
export type StreamName = NameOf<'server_streaming'>;
/** The request of a method: absent members have their default. */
export type InputOf<Name extends keyof Methods> = MessageInitShape<Methods[Name]['input']>;
/** The answer of a method; of a stream, one of its messages. */
export type OutputOf<Name extends keyof Methods> = MessageShape<Methods[Name]['output']>;

/**
 * The engine as a local client sees it: every method of `ClientService`, by its name. The `.proto`
 * files say what each method does. Every call throws a `BulkheadError`: `not_running` when the
 * connection is lost, `cancelled` when its signal fires, otherwise the error that the engine
 * answered: `not_found` for a missing session or entry, `store_corrupt` for a damaged one, `busy`
 * for a call that needs an idle session.
 */
export interface EngineClient extends Disposable {
  call<Name extends CallName>(
    name: Name,
    input: InputOf<Name>,
    signal?: AbortSignal,
  ): Promise<OutputOf<Name>>;
  /**
   * Ends normally when the engine ends the stream with success; leaving the loop cancels the call.
   */
  stream<Name extends StreamName>(
    name: Name,
    input: InputOf<Name>,
    signal?: AbortSignal,
  ): AsyncGenerator<OutputOf<Name>>;
}

/** @param connection is closed with the client */
export function createEngineClient(connection: GrpcConnection): EngineClient {
  const calls: { readonly [Name in CallName]: DescMethodUnary<Input<Name>, Output<Name>> } =
    ClientService.method;
  const streams: { readonly [Name in StreamName]: DescMethodServerStreaming<Input<Name>, Output<Name>> } =
    ClientService.method;
  return {
    call: (name, input, signal) => connection.unary(calls[name], input, signal),
    stream: (name, input, signal) => connection.stream(streams[name], input, signal),
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

type Input<Name extends keyof Methods> = Methods[Name]['input'] & DescMessage;
type Output<Name extends keyof Methods> = Methods[Name]['output'] & DescMessage;
